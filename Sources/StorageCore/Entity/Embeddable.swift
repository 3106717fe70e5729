/// A value object without identity, whose properties can become columns of the entity that holds it.
public protocol Embeddable: Codable, Sendable, Equatable {}

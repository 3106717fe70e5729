// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Of no actor in Apple's module: a wrapper that needs the main actor has to say so itself.
public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

extension State: Sendable where Value: Sendable {}

@frozen @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(projectedValue: Binding<Value>) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

extension Environment: Sendable where Value: Sendable {}

public struct EnvironmentValues {
    public var dismiss: DismissAction { fatalError() }
    public var scenePhase: ScenePhase {
        get { fatalError() }
        set {}
    }
}

@MainActor @preconcurrency public struct DismissAction {
    @MainActor @preconcurrency public func callAsFunction() {}
}

public enum ScenePhase: Comparable, Sendable {
    case background
    case inactive
    case active
}

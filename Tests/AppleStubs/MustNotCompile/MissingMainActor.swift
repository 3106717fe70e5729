#if canImport(SwiftUI)
import StorageKit
import SwiftUI

// As `Live` would be without its actor: a dynamic property is of none by itself.
@propertyWrapper struct Watched<Value: Sendable>: DynamicProperty {
    let query: LiveQuery<Value>

    var wrappedValue: Value {
        query.value  // error: main actor-isolated property 'value' can not be referenced
    }
}
#endif

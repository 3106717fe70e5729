#if canImport(SwiftUI)
import SwiftUI

struct Greeting: View {
    var body: some View { Text("Hello") }
}

func describe(_ view: Greeting) -> String {
    "\(type(of: view.body))"  // error: main actor-isolated property 'body' can not be referenced
}
#endif

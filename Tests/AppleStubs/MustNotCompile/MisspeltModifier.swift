#if canImport(SwiftUI)
import SwiftUI

struct Titled: View {
    var body: some View {
        Form { Text("Ada") }
            .navigationTitel("Contacts")  // error: has no member 'navigationTitel'
    }
}
#endif

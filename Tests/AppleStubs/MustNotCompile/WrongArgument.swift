#if canImport(SwiftUI)
import SwiftUI

struct Star: View {
    var body: some View {
        Image(system: "star")  // error: incorrect argument label in call
    }
}
#endif

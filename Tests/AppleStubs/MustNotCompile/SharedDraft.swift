#if canImport(SwiftUI)
import SwiftUI

final class Draft {
    var name = ""
}

actor Archive {
    func keep(_ draft: Draft) {}
}

struct DraftForm: View {
    let archive: Archive
    @State private var draft = Draft()

    var body: some View {
        Button("Keep") {
            Task { await archive.keep(draft) }  // error: sending 'self.draft' risks causing data races
        }
    }
}
#endif

#if os(visionOS)  // error: does not cover '#if os(visionOS)
import SwiftUI
#endif

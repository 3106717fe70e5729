#if canImport(Darwin)
import Foundation

func open(_ url: URL) {
    NSFileCoordinator(filePresenter: nil)
        .coordinate(writingItemAt: url, error: nil)  // error: missing argument for parameter 'byAccessor'
}
#endif

// `import Persistence` alone gives an app `Date`, `Data`, `URL` and `JSONEncoder`, which models and schemas are
// written with.
@_exported public import Foundation

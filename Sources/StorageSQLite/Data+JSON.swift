package import Foundation

extension Data {
    /// Whether a number in it is NaN, which no JSON has. Foundation makes that of a Decimal that is no number.
    package var holdsNaN: Bool {
        range(of: Data("NaN".utf8)) != nil
            && (try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed)) == nil
    }
}

import Foundation

/// A plot of the ratios: a line for each workload, a dot for each side on a scale by powers of ten, a mark for the goal,
/// and StorageKit's ratio as a number. What lies outside the scale is drawn at its end.
struct RatioPlot {
    let report: Report

    private let left = 350.0
    private let top = 60.0
    private let rowHeight = 26.0
    private let width = 960.0
    private let least = 0.03
    private let most = 300.0

    func write(to path: String) throws {
        try svg.write(toFile: path, atomically: true, encoding: .utf8)
    }

    var svg: String {
        let height = top + Double(report.comparisons.count) * rowHeight + 50
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(n(width))" height="\(n(height))" \
            viewBox="0 0 \(n(width)) \(n(height))" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            <text x="16" y="22" font-size="15">CPU time as a ratio to the baseline (1 = raw SQLite), less is better</text>
            """
        ]
        parts.append(legend)
        parts += scale(to: height - 40)
        for (line, comparison) in report.comparisons.enumerated() {
            parts += row(comparison, at: top + (Double(line) + 0.5) * rowHeight)
        }
        let machine = RatioPlot.escaped(report.machine.description)
        parts.append(##"<text x="16" y="\##(n(height - 8))" font-size="10" fill="#666">\##(machine)</text>"##)
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private var legend: String {
        """
        <circle cx="22" cy="40" r="5" fill="#d4552b"/><text x="32" y="44">StorageKit</text>
        <circle cx="122" cy="40" r="4" fill="#9aa5b1"/><text x="132" y="44">others</text>
        <rect x="196" y="33" width="2" height="14" fill="#2b7a4b"/><text x="204" y="44">goal</text>
        """
    }

    private func scale(to bottom: Double) -> [String] {
        stride(from: -1.0, through: 2.0, by: 1).map { power in
            let ratio = pow(10, power)
            let place = n(x(ratio))
            let color = ratio == 1 ? "#333" : "#ddd"
            let label = Report.rounded(ratio, ratio < 1 ? 1 : 0)
            return """
                <line x1="\(place)" x2="\(place)" y1="\(n(top))" y2="\(n(bottom))" stroke="\(color)"/>
                <text x="\(place)" y="\(n(top - 4))" text-anchor="middle" fill="#666">\(label)</text>
                """
        }
    }

    private func row(_ comparison: Comparison, at y: Double) -> [String] {
        let title = RatioPlot.escaped("\(comparison.workload)  \(comparison.title)")
        let ratio = comparison.ratio.map(Report.ratio) ?? ""
        var parts = [
            #"<text x="16" y="\#(n(y + 4))">\#(title)</text>"#,
            #"<text x="\#(n(width - 16))" y="\#(n(y + 4))" text-anchor="end">\#(ratio)</text>"#,
        ]
        if let goal = comparison.goal {
            parts.append(
                ##"<rect x="\##(n(x(goal) - 1))" y="\##(n(y - 8))" width="2" height="16" fill="#2b7a4b"/>"##)
        }
        // StorageKit comes last, and so lies on top.
        for entry in comparison.entries where entry.role != .baseline {
            let isOurs = entry.role == .storageKit
            let label = RatioPlot.escaped("\(entry.name): \(Report.ratio(entry.cpuRatio))")
            parts.append(
                """
                <circle cx="\(n(x(entry.cpuRatio)))" cy="\(n(y))" r="\(isOurs ? 5 : 4)" \
                fill="\(isOurs ? "#d4552b" : "#9aa5b1")"><title>\(label)</title></circle>
                """)
        }
        return parts
    }

    private func x(_ ratio: Double) -> Double {
        let part = (log10(min(max(ratio, least), most)) - log10(least)) / (log10(most) - log10(least))
        return left + part * (width - left - 80)
    }

    private func n(_ number: Double) -> String { Report.rounded(number, 1) }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}

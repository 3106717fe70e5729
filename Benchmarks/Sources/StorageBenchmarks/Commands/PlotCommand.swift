import ArgumentParser

/// Draws the plot of a run again, from its figures.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot", abstract: "Draw the ratios of an earlier run.")

    @Argument(help: "The JSON file that the run wrote.")
    var json: String
    @Argument(help: "The SVG file to draw.")
    var svg: String

    func run() throws {
        try RatioPlot(report: Report.read(from: json)).write(to: svg)
    }
}

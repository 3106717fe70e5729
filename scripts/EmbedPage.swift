// Writes the files of the studio's page into a Swift file, so that they are inside the binary of whoever builds it:
//     swift scripts/EmbedPage.swift [--check]
// With --check it writes nothing, and fails if the Swift file is not what it would write.

import Foundation

let folder = URL(fileURLWithPath: "Studio/Assets")
let output = URL(fileURLWithPath: "Studio/Sources/StorageStudio/Page/PageAsset+Files.swift")
let types = ["html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]

let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
var text = """
    // swift-format-ignore-file
    // Written by scripts/EmbedPage.swift from Studio/Assets: edit those.

    extension PageAsset {
        /// All files of the page.
        static let all: [PageAsset] = [

    """
for name in names {
    let url = folder.appendingPathComponent(name)
    guard let type = types[url.pathExtension] else { continue }
    let content = try String(contentsOf: url, encoding: .utf8)
    precondition(!content.contains("\"\"\"###") && content.hasSuffix("\n"), "\(name) cannot be embedded")
    let path = name == "index.html" ? "/" : "/" + name
    text += "        PageAsset(path: \"\(path)\", type: \"\(type)\", text: ###\"\"\"\n\(content)\n\"\"\"###),\n"
}
text += "    ]\n}\n"

if CommandLine.arguments.contains("--check") {
    guard (try? String(contentsOf: output, encoding: .utf8)) == text else {
        FileHandle.standardError.write(Data("\(output.relativePath) is old: swift scripts/EmbedPage.swift\n".utf8))
        exit(1)
    }
} else {
    try text.write(to: output, atomically: true, encoding: .utf8)
}

// swift-format-ignore-file
// Written by scripts/EmbedPage.swift from Studio/Assets: edit those.

extension PageAsset {
    /// All files of the page.
    static let all: [PageAsset] = [
        PageAsset(path: "/", type: "text/html", text: ###"""
<!doctype html><title>StorageKit studio</title>

"""###),
    ]
}

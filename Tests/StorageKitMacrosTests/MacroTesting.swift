import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import StorageKitMacrosPlugin

/// All macros of the plugin.
let storageMacros: [String: MacroSpec] = [
    "StorageEntity": MacroSpec(type: StorageEntityMacro.self, conformances: ["RegisteredEntity"]),
    "StorageEmbedded": MacroSpec(type: StoragePropertyMacro.self),
    "StorageHasMany": MacroSpec(type: StoragePropertyMacro.self),
    "StorageBelongsTo": MacroSpec(type: StoragePropertyMacro.self),
    "StorageJSON": MacroSpec(type: StoragePropertyMacro.self),
    "StorageVersion": MacroSpec(type: StoragePropertyMacro.self),
    "StorageReference": MacroSpec(type: StoragePropertyMacro.self),
    "StorageUnique": MacroSpec(type: StoragePropertyMacro.self),
    "StorageRenamed": MacroSpec(type: StoragePropertyMacro.self),
    "StorageIgnored": MacroSpec(type: StoragePropertyMacro.self),
    "StorageSelection": MacroSpec(type: StorageSelectionMacro.self),
]

/// Compares what a source expands to, and what is said about it, character by character.
func expectExpansion(
    _ source: String, _ expanded: String, diagnostics: [DiagnosticSpec] = [], fixedSource: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source,
        expandedSource: expanded,
        diagnostics: diagnostics,
        macroSpecs: storageMacros,
        applyFixIts: nil,
        fixedSource: fixedSource,
        failureHandler: { failure in
            Issue.record("\(failure.message)", sourceLocation: location)
        }
    )
}

/// Expects this one diagnostic. What the source expands to nevertheless is Swift.
///
/// - Parameters:
///   - fix: The words of the one suggestion; nil if there is none.
///   - fixedSource: The source after it; nil leaves that unchecked.
func expectProblem(
    _ source: String, _ message: String, line: Int, column: Int, fix: String? = nil, fixedSource: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    let fixIts = fix.map { [FixItSpec(message: $0)] } ?? []
    expectProblems(
        source, [DiagnosticSpec(message: message, line: line, column: column, fixIts: fixIts)],
        fixedSource: fixedSource, at: location)
}

/// Expects this one diagnostic about the properties that it has beside its id.
///
/// - Parameters:
///   - line: The line among the properties.
///   - column: The place in that line.
///   - fixed: The properties after the suggestion; nil leaves that unchecked.
func expectProblem(
    properties: String, _ message: String, line: Int = 1, column: Int, fix: String? = nil, fixed: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    func source(_ properties: String) -> String {
        """
        @StorageEntity
        struct User {
            var id: String
            \(properties.replacing("\n", with: "\n    "))
        }
        """
    }
    expectProblem(
        source(properties), message, line: line + 3, column: column + 4, fix: fix, fixedSource: fixed.map(source),
        at: location)
}

/// Expects these diagnostics. What the source expands to nevertheless is Swift.
func expectProblems(
    _ source: String, _ diagnostics: [DiagnosticSpec], fixedSource: String? = nil,
    at location: Testing.SourceLocation = #_sourceLocation
) {
    let expanded = expansion(of: source, macros: storageMacros)
    expectExpansion(source, expanded, diagnostics: diagnostics, fixedSource: fixedSource, at: location)
    #expect(!Parser.parse(source: expanded).hasError, "\(expanded)", sourceLocation: location)
}

extension String {
    /// What is left of a source that does not expand: our attributes are gone, each with the space behind it.
    var withoutStorageAttributes: String {
        replacing(/@Storage[A-Za-z]+(\((?:[^()\n]|\([^()\n]*\))*\))?\s+/, with: "")
    }
}

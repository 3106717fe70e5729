import StorageCore
import Testing

@Suite struct KeyBuilderTests {
    private struct User {}
    private let keys = KeyBuilder(namespace: "myapp")

    @Test func anEntityKeyNamesNamespaceTypeAndId() {
        #expect(keys.entityKey(User.self, id: "1") == "myapp.User:1")
    }

    @Test func aQueryKeyWithoutParametersEndsWithTheName() {
        #expect(keys.queryKey("recent_posts") == "myapp.query:recent_posts")
    }

    @Test func theOrderOfParametersDoesNotChangeAQueryKey() {
        let key = keys.queryKey("posts", params: ["limit": "10", "after": "3"])
        #expect(key == "myapp.query:posts?after=3&limit=10")
    }

    @Test func aParameterCannotPassForTwo() {
        #expect(keys.queryKey("posts", params: ["by": "ada&limit=1"]) == "myapp.query:posts?by=ada%26limit%3D1")
        #expect(keys.queryKey("posts?by=ada") == "myapp.query:posts%3Fby%3Dada")
        #expect(keys.queryKey("100%") == "myapp.query:100%25")
    }
}

import ArgumentParser
import ContactServerKit

@main struct ContactServerMain {
    static func main() async {
        // By this name alone ArgumentParser's asynchronous `main` is meant.
        await ContactServerCommand.main(nil)
    }
}

#if os(iOS)
import GRDB

func configure(_ configuration: inout Configuration) {
    configuration.automaticMemoryManagment = false  // error: has no member 'automaticMemoryManagment'
}
#endif

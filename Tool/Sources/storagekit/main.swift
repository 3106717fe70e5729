import StorageToolKit

StorageKitProgram.main()

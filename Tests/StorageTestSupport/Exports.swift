// What apps test their stores with, this package does too.
@_exported public import StorageKitTesting

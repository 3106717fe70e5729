import ContactBookKit

await ContactBookProgram.main()

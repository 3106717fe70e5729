import ContactBookKit
print("hi")

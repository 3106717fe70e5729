// The DAO module (SQLiteDatabase, TableSchema<Entity>, DAO) is not built yet: the product exists so that its
// name is taken, and it declares nothing.

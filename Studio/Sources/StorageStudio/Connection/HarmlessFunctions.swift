/// The functions of SQLite and of StorageKit that read their arguments and rows, and nothing else: no files, no settings.
enum HarmlessFunctions {
    static let names = Set(
        """
        abs changes char coalesce concat concat_ws format glob hex ifnull iif if instr last_insert_rowid length like likelihood likely
        lower ltrim max min nullif octet_length printf quote random randomblob replace round rtrim sign soundex sqlite_version substr
        substring substring_index total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob
        avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total
        row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
        date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
        acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power radians sin
        sinh sqrt tan tanh trunc
        json jsonb json_array jsonb_array json_array_length json_error_position json_extract jsonb_extract json_insert jsonb_insert
        json_object jsonb_object json_pretty json_quote json_remove jsonb_remove json_replace jsonb_replace
        json_set jsonb_set json_type json_valid json_group_array jsonb_group_array json_group_object jsonb_group_object -> ->>
        match regexp bm25 highlight snippet matchinfo offsets rtreecheck rtreedepth rtreenode
        storagekit_fold
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}

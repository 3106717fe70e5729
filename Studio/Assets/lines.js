// A text area has line feeds alone, whatever line ends a text had.

/// What was typed over a text, with the text's own line ends in front of the edit and behind it. New lines end as the first line of the text does.
export function keepingLineEnds(old, typed) {
  const plain = old.replace(/\r\n?/g, "\n");
  const shorter = Math.min(plain.length, typed.length);
  let front = 0;
  while (front < shorter && plain[front] === typed[front]) front += 1;
  let back = 0;
  while (back < shorter - front && plain[plain.length - 1 - back] === typed[typed.length - 1 - back]) back += 1;
  const lineEnd = /\r\n?|\n/.exec(old)?.[0] ?? "\n";
  const edit = typed.slice(front, typed.length - back).replaceAll("\n", lineEnd);
  return joined(joined(old.slice(0, place(old, front)), edit), old.slice(place(old, plain.length - back)));
}

/// Where so many characters of a text end, each line end being one.
function place(text, count) {
  let end = 0;
  for (let seen = 0; seen < count; seen += 1) end += text.startsWith("\r\n", end) ? 2 : 1;
  return end;
}

/// Two parts of a text. A carriage return and a line feed that meet stay two line ends.
function joined(left, right) {
  return left.endsWith("\r") && right.startsWith("\n") ? `${left}\n${right}` : left + right;
}

// Questions to the server, each with the token that the code in the address was traded for.

const key = "token";

export class Problem extends Error {
  constructor(message, status, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/// Comes in, if the address has a code, and takes it out of the address.
export async function comeIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) sessionStorage.setItem(key, (await answer.json()).token);
}

async function send(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${sessionStorage.getItem(key) ?? ""}` },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The studio does not answer: was it stopped?", 0);
  }
  if (answer.ok) return answer;
  const content = await answer.json().catch(() => ({}));
  throw new Problem(content.error ?? content.message ?? `The studio answered with ${answer.status}.`, answer.status, content);
}

export async function get(path) {
  return (await send(path)).json();
}

export function post(path, question, signal) {
  return send(path, {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
  });
}

export async function ask(path, question, signal) {
  return (await post(path, question, signal)).json();
}

/// Calls back for each event, and connects again if the connection is cut. If the studio refuses, the reason is told once, as an event.
export async function listen(hear, isOpen) {
  let refusal;
  for (;;) {
    try {
      const reader = (await send("api/events")).body.pipeThrough(new TextDecoderStream()).getReader();
      isOpen(true);
      refusal = undefined;
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines) hear(JSON.parse(line));
      }
    } catch (error) {
      if (error.status === 401) return;
      // Without a status the studio is not there at all.
      if (error.status && error.message !== refusal) {
        refusal = error.message;
        hear({ type: "trouble", text: `Changes are not shown: ${refusal}` });
      }
    }
    isOpen(false);
    await new Promise((done) => setTimeout(done, 1000));
  }
}

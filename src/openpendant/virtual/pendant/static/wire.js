// Orders to the virtual controller, and its state as it comes.

/** Send one order; return an empty text, or why it was refused. */
export async function order(what) {
  try {
    const answer = await fetch("do", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(what),
    });
    const reply = await answer.json();
    return reply.ok ? "" : reply.why;
  } catch {
    return "The virtual controller does not answer.";
  }
}

/** Return what the page is made of. */
export async function layout() {
  const answer = await fetch("layout");
  if (!answer.ok) throw new Error(`no layout: ${answer.status}`);
  return answer.json();
}

/** Call `onState` with every state, and `onLost` while nothing comes. The browser connects again by itself. */
export function follow(onState, onLost) {
  const source = new EventSource("events");
  source.addEventListener("message", (event) => onState(JSON.parse(event.data)));
  source.addEventListener("error", onLost);
}

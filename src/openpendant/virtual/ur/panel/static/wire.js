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

/** Call `onState` with every state, and `onLost` while nothing comes. The browser connects anew by itself. */
export function follow(onState, onLost) {
  const source = new EventSource("events");
  source.addEventListener("message", (event) => onState(JSON.parse(event.data)));
  source.addEventListener("error", onLost);
}

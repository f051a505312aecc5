/** What is found at the address of a real robot, and what a lost server leaves behind. */

export const operateProbe = {
  "operate.probe": "Test",
  "operate.probe.hint": "Check what is at this address; nothing moves",
  "operate.probe.of": "Test the connection to {robot}",
  "operate.probe.looking": "Checking {address}…",
  "operate.interrupted":
    "The server was restarted while robots were connected. They were brought to rest; the project is complete. Start them again when you are ready.",
  "operate.interrupted.run":
    "The server was restarted while {program} was running. The robots were brought to rest; the project is complete. Start them again when you are ready.",
} as const;

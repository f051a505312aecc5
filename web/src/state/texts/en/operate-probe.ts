/** What is found at the address of a real robot, and what a lost server leaves behind. */

export const operateProbe = {
  "operate.probe": "Test",
  "operate.probe.hint": "Look at what is at this address; nothing moves",
  "operate.probe.of": "Test the connection to {robot}",
  "operate.probe.looking": "Looking at {address}…",
  "operate.probe.unknownName":
    "No machine of the network is called {address}. Check the spelling, or use its number.",
  "operate.probe.noAnswer":
    "Nothing answers at {address}. Is the robot switched on, and in the same network as this server?",
  "operate.probe.noWay": "There is no way from this server to {address}. Check its network settings.",
  "operate.probe.refused":
    "There is a machine at {address}, but no robot controller answers. Is it the right address, and has it booted?",
  "operate.probe.stranger": "What answers at {address} is no robot of Universal Robots.",
  "operate.probe.found": "Found a {value}.",
  "operate.probe.otherModel":
    "That is a {value}; the cell has another model. Change it in Build, or the address here.",
  "operate.probe.localControl":
    "It is in local control. Choose remote control at the top right of its pendant.",
  "operate.probe.noPower": "Its arm has no power ({value}). Switch it on at its pendant.",
  "operate.probe.brakes": "Its brakes are closed. Release them at its pendant.",
  "operate.probe.safety": "Its safety says {value}. Clear that at the robot first.",
  "operate.probe.anotherOwner": "Another client holds it. Close that one first.",
  "operate.probe.noStates":
    "It tells no states (port {value}). Allow RTDE among its services, and look for a firewall between.",
  "operate.probe.noScripts":
    "It takes no programs (port {value}). Allow the real-time interface among its services.",
  "operate.probe.ready": "It can be connected.",
  "operate.interrupted":
    "The server was started anew while robots were connected. They were brought to rest; the project is complete. Start them again when you are ready.",
  "operate.interrupted.run":
    "The server was started anew while {program} ran. The robots were brought to rest; the project is complete. Start them again when you are ready.",
} as const;

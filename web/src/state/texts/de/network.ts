import type { Text } from "../../texts";
import type { network as english } from "../en/network";

export const network: Readonly<Record<keyof typeof english, Text>> = {
  "network.title": "Netzwerk",
  "network.hint": "Andere hereinlassen und sehen, wer gekoppelt ist",
  "network.pair.title": "Dieses Gerät koppeln",
  "network.pair.lead":
    "Den Code eingeben, den der Server dort zeigt, wo er gestartet wurde, oder den jemand, der schon gekoppelt ist, hier unter Netzwerk anzeigt.",
  "network.pair.code": "Code",
  "network.pair.name": "Ihr Name oder der dieses Geräts",
  "network.pair.go": "Koppeln",
  "network.pair.going": "Wird gekoppelt …",
  "network.pair.trust":
    "Der Browser hat gewarnt, weil er diesen Rechner nicht kennt. Damit er ihn dauerhaft kennt, sein Zertifikat installieren und den Fingerabdruck mit dem vergleichen, den der Server ausgegeben hat.",
  "network.pair.certificate": "Zertifikat",
  "network.needs": "Das ist der Rolle {need} vorbehalten; Sie sind als {role} gekoppelt.",
  "network.role": "Rolle",
  "network.role.viewer": "Beobachter",
  "network.role.operator": "Bediener",
  "network.role.engineer": "Einrichter",
  "network.role.viewer.does": "sieht zu und darf jeden Roboter stoppen",
  "network.role.operator.does": "sieht zu, startet Programme, bewegt und stoppt Roboter",
  "network.role.engineer.does": "darf alles: bearbeiten, andere hereinlassen, die Bedienhoheit übernehmen",
  "network.you": "Sie sind als {role} gekoppelt",
  "network.signOut": "Dieses Gerät entkoppeln",
  "network.offer.title": "Jemanden hereinlassen",
  "network.offer.go": "Code anzeigen",
  "network.offer.code": "Code, einmal und {minutes} Minuten lang gültig",
  "network.offer.link": "oder scannen, oder öffnen",
  "network.offer.qr": "Der Link als QR-Code",
  "network.paired": "Gekoppelt",
  "network.none": "Niemand ist gekoppelt.",
  "network.here": "gerade hier",
  "network.seen": "gesehen {ago}, von {address}",
  "network.revoke": "{name} entkoppeln",
  "network.revoke.short": "Entkoppeln",
  "network.thisDevice": "dieses Gerät",
};

/** The commands that hold everywhere in the page. */

import { dictionaryOf, LANGUAGES, t } from "../state/texts";
import type { Command } from "./commands";
import type { Context } from "./context";

export function pageCommands({ preferences, dark, router, sheet }: Context): readonly Command[] {
  return [
    {
      id: "page.palette",
      title: () => t("page.palette"),
      group: "page",
      keys: ["Ctrl+K"],
      whileTyping: true,
      listed: false,
      run: () => sheet.set("palette"),
    },
    {
      id: "page.keys",
      title: () => t("page.keys"),
      also: () => t("page.help.words"),
      group: "page",
      keys: ["?"],
      run: () => sheet.set("keys"),
    },
    {
      id: "page.theme",
      title: () => t("page.theme"),
      group: "page",
      run: () => preferences.theme.set(dark.value ? "light" : "dark"),
    },
    {
      id: "page.angle",
      title: () => t("page.angleUnit"),
      group: "page",
      run: () => preferences.angle.set(preferences.angle.value === "deg" ? "rad" : "deg"),
    },
    ...Object.keys(LANGUAGES).map((language): Command => ({
      id: `page.language.${language}`,
      title: () => t("page.languageIs", { language: dictionaryOf(language).title }),
      group: "page",
      run: () => preferences.language.set(language),
    })),
    {
      id: "page.welcome",
      title: () => t("page.goWelcome"),
      also: () => t("page.home.words"),
      group: "page",
      run: () => router.go({ page: "welcome" }),
    },
    {
      id: "page.robots",
      title: () => t("page.goRobots"),
      group: "page",
      run: () => router.go({ page: "robots", name: "" }),
    },
  ];
}

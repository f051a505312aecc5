/** The commands that hold everywhere in the page. */

import { TEXT_SIZES } from "../state/shared/preferences";
import { dictionaryOf, LANGUAGES, t } from "../state/texts";
import type { Command } from "./commands";
import type { Context } from "./context";

export function pageCommands({ preferences, dark, router, sheet }: Context): readonly Command[] {
  const { textSize } = preferences;
  const resize = (id: "larger" | "smaller", by: 1 | -1): Command => ({
    id: `page.text.${id}`,
    title: () => t(`page.text.${id}`),
    also: () => t("page.text.words"),
    group: "page",
    blocked: () => (next(by) === undefined ? t(`page.text.${id}.no`) : null),
    run: () => {
      const size = next(by);
      if (size !== undefined) textSize.set(size);
    },
  });
  const next = (by: 1 | -1) => TEXT_SIZES[TEXT_SIZES.indexOf(textSize.value) + by];
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
    resize("larger", 1),
    resize("smaller", -1),
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

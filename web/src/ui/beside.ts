/** Words that float beside a field, over everything, whatever the panel about it cuts off. */

const GAP_PX = 4;

/** Show a popover below a field, or above where there is no room. */
export function beside(node: HTMLElement, fieldOf: () => HTMLElement): { destroy: () => void } {
  const place = (): void => {
    const field = fieldOf();
    const box = field.closest("label")?.getBoundingClientRect() ?? field.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = node;
    const below = box.bottom + GAP_PX;
    const top = below + height > innerHeight ? box.top - GAP_PX - height : below;
    node.style.left = `${Math.max(GAP_PX, Math.min(box.left, innerWidth - width - GAP_PX))}px`;
    node.style.top = `${top}px`;
  };
  node.showPopover();
  place();
  window.addEventListener("resize", place);
  document.addEventListener("scroll", place, true);
  return {
    destroy: () => {
      window.removeEventListener("resize", place);
      document.removeEventListener("scroll", place, true);
    },
  };
}

/** A name that is to be written: the field takes the focus, with all of the old name chosen. */
export function writeName(field: HTMLInputElement): void {
  field.focus();
  field.select();
}

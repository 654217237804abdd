/** Dialogs: questions, and notes that go by themselves. */

import { announce, h } from "./dom.mjs";

/**
 * Shows a dialog until it is closed; resolves to the value of the button that closed it.
 * @param {string} title
 * @param {...(Node | string)} content
 * @returns {{ dialog: HTMLDialogElement, closed: Promise<string> }}
 */
export function openDialog(title, ...content) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const close = h(
    "button",
    { type: "button", class: "close", "aria-label": "Close", on: { click: () => dialog.close() } },
    "×",
  );
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, heading, close, ...content);
  document.querySelector("dialog")?.close();
  document.body.append(dialog);
  const closed = new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  return { dialog, closed: /** @type {Promise<string>} */ (closed) };
}

/**
 * Asks a question; true if the answer is `yes`.
 * @param {string} title
 * @param {string} detail
 * @param {string} yes what the button says that agrees
 */
export async function ask(title, detail, yes) {
  const agree = h(
    "button",
    { type: "button", class: "primary", autofocus: true, on: { click: () => dialog.close("yes") } },
    yes,
  );
  const cancel = h("button", { type: "button", on: { click: () => dialog.close() } }, "Cancel");
  const { dialog, closed } = openDialog(
    title,
    h("p", {}, detail),
    h("p", { class: "actions" }, cancel, agree),
  );
  return (await closed) === "yes";
}

/**
 * Copies a text, or lets the device share it if it can.
 * @param {string} title
 * @param {string} url
 */
export async function share(title, url) {
  const isTouch = matchMedia("(pointer: coarse)").matches;
  try {
    if (isTouch && navigator.share) return await navigator.share({ title, url });
    await navigator.clipboard.writeText(url);
    announce("The link was copied.");
    toast("Link copied.");
  } catch {
    const field = h("input", { readonly: true, value: url, "aria-label": "Link" });
    openDialog("Share this link", field);
    field.select();
  }
}

/** A short note that goes by itself. @param {string} words */
export function toast(words) {
  const note = h("div", { class: "toast", "aria-hidden": "true" }, words);
  document.body.append(note);
  setTimeout(() => note.remove(), 2500);
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

"""What is asked of a page in the browser: where things are that should be seen. Runs apart from the page's own scripts.

It says where letters stand and hides them for a moment. Whether anybody sees them is judged from pictures, elsewhere.
"""

SCRIPT = r"""
(() => {
const UNREAD = "script,style,template,noscript,head,title,option,datalist";
const MANY = 8;
const plain = text => text.replace(/\s+/g, "").toLowerCase();  // words may stand in parts of their own
let found = [];
let blanked = [];

function holding(words, within = document.body) {
  const wanted = plain(words);
  const has = el => plain(el.textContent).includes(wanted);
  const deepest = [];
  const go = el => {
    const inner = [...el.children].filter(child => !child.matches(UNREAD) && has(child));
    if (inner.length) inner.forEach(go);
    else deepest.push(el);
  };
  if (wanted && within && has(within)) go(within);
  return deepest;
}

const TYPED = "input:not([type=hidden]),select,textarea";
const SENDS = "button:not([type=button]),[type=submit],[type=image]";
const all = selector => [...document.querySelectorAll(selector)];
const named = name => [...document.getElementsByName(name)].filter(el => el.matches(TYPED));
const headings = selector => all(selector).filter(el => plain(el.textContent));
const labels = el => {
  const pointed = (el.getAttribute("aria-labelledby") || "").split(/\s+/).map(id => document.getElementById(id));
  return [...(el.labels || []), ...pointed].filter(one => one && plain(one.textContent));
};
const ticked = el => el.matches("[type=checkbox],[type=radio]");
const fieldsOf = want => want.name === "*password"
  ? all("input[type=password]")
  : named(want.name);
const FIND = {
  heading: () => {
    const main = headings("h1");
    return (main.length ? main : headings("h2,h3,[role=heading]")).map(letters);
  },
  words: want => {
    const typed = all("input:not([type=hidden]),textarea");
    const within = want.words.flatMap(words => typed.filter(el => plain(el.value).includes(plain(words))));
    return [...want.words.flatMap(words => holding(words)).map(letters), ...within.map(box)];
  },
  drawing: () => all("svg,canvas,img").map(box),
  field: want => fieldsOf(want).flatMap(el => ticked(el) ? [box(el), ...labels(el).map(letters)] : [box(el)]),
  label: want => {
    const fields = fieldsOf(want);
    const inside = fields.filter(el => plain(el.placeholder || "")).map(box);
    const beside = fields.flatMap(el => want.words.flatMap(words => holding(words, el.form)));
    return [...fields.flatMap(labels).map(letters), ...beside.map(letters), ...inside];
  },
  button: want => {
    const forms = new Set(fieldsOf(want).map(el => el.form).filter(Boolean));
    const buttons = [...forms].flatMap(form => [...form.elements]).filter(el => el.matches(SENDS));
    return buttons.map(el => plain(el.textContent) || el.matches("input[type=submit]") ? letters(el) : box(el));
  },
  link: want => all("a[href]")
    .filter(el => [want.name, ...want.words].includes(new URL(el.href, location.href).pathname))
    .map(el => plain(el.textContent) ? letters(el) : box(el)),
};
function letters(el) { return {el: unfolded(el), box: false}; }
function box(el) { return {el: unfolded(el), box: true}; }
function unfolded(el) {
  const fold = el.closest("details:not([open])");
  const summary = fold && fold.querySelector(":scope > summary");
  return summary && !summary.contains(el) ? summary : el;
}

function rects(one) {
  if (one.box || one.el.matches("input")) return [one.el.getBoundingClientRect()];
  const range = document.createRange();
  range.selectNodeContents(one.el);
  return [...range.getClientRects()];
}
const large = rect => rect.width >= 3 && rect.height >= 4;
function opacity(el) {
  let all = 1;
  for (let at = el; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
  return all;
}
function wrong(one) {
  const el = one.el;
  if (!el.isConnected) return "is no longer there";
  if (opacity(el) < 0.1) return "is transparent";
  if (!el.checkVisibility({checkVisibilityCSS: true, visibilityProperty: true})) return "is hidden";
  const places = rects(one).filter(large);
  if (!places.length) return "has no room";
  const wide = document.documentElement.scrollWidth;
  const inside = places.some(r => r.right + scrollX > 1 && r.bottom + scrollY > 1 && r.left + scrollX < wide);
  return inside || scrolled(el) ? "" : "lies outside of the page";
}
function bring(one, holder, height) {
  const [place] = rects(one).filter(large);
  const root = holder === document.documentElement;
  const styles = getComputedStyle(holder);
  if (!place || !root && !/auto|scroll/.test(styles.overflowX + styles.overflowY)) return;
  const view = root ? {left: 0, right: innerWidth, top: 0, bottom: innerHeight} : holder.getBoundingClientRect();
  const left = (place.left + place.right - view.left - view.right) / 2;
  const top = (place.top + place.bottom) / 2 - view.top - (view.bottom - view.top) * height;
  holder.scrollBy({left, top, behavior: "instant"});
}
function scrolled(el) {
  for (let at = el.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}

const OPS = {
  find: wants => {
    found = wants.map(want => FIND[want.kind](want).slice(0, MANY));
    return found.map(all => all.map(wrong));
  },
  bring: ([want, nth, height]) => {
    const one = found[want][nth];
    one.el.scrollIntoView({behavior: "instant", block: "center", inline: "center"});
    for (let at = one.el.parentElement; at; at = at.parentElement) bring(one, at, height);
    return wrong(one);
  },
  places: () => found.map(all => all.map(one => ({
    box: one.box,
    rects: one.el.isConnected ? rects(one).filter(large).slice(0, 4).map(r => [r.left, r.top, r.right, r.bottom]) : [],
  }))),
  blank: () => {
    const lettered = found.flat().filter(one => !one.box && one.el.isConnected).map(one => one.el);
    const whole = new Set(lettered.flatMap(el => [el, ...el.querySelectorAll("*")]));
    blanked = [...whole].filter(el => el.style).map(el => [el, el.style.cssText]);
    const clipped = blanked.filter(([el]) => /text/.test(getComputedStyle(el).webkitBackgroundClip)).map(([el]) => el);
    for (const [el] of blanked) {
      const set = (name, value) => el.style.setProperty(name, value, "important");
      set("transition", "none");
      set("color", "transparent");
      set("-webkit-text-fill-color", "transparent");
      set("-webkit-text-stroke-color", "transparent");
      set("text-shadow", "none");
      set("text-decoration-color", "transparent");
      if (clipped.includes(el)) set("background", "none");
    }
    return true;
  },
  unblank: () => {
    for (const [el, style] of blanked) el.style.cssText = style;  // an attribute could be refused by the page's policy
    blanked = [];
    return true;
  },
  page: () => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    held: all("html,body").some(el => /hidden|clip/.test(getComputedStyle(el).overflowX)),
    culprit: culprit(),
  }),
  top: () => { scrollTo({left: 0, top: 0, behavior: "instant"}); return true; },
  focus: nth => {
    const secret = all("input[type=password]").find(el => !wrong(box(el)));
    if (!secret) return false;
    const typed = el => el.matches("input:not([type]),input[type=text],input[type=email],input[type=password]");
    const fields = secret.form ? [...secret.form.elements].filter(typed) : [secret];
    const field = nth === 0 ? fields[Math.max(0, fields.indexOf(secret) - 1)] : secret;
    field.focus();
    field.select();
    return true;
  },
  submit: () => {
    const secret = document.activeElement;
    const buttons = secret && secret.form ? [...secret.form.elements].filter(el => el.matches(SENDS)) : [];
    if (buttons.length) buttons[0].click();
    return buttons.length > 0;
  },
};
function culprit() {
  const edge = document.documentElement.clientWidth + 1;
  const over = all("body *").filter(el => {
    const r = el.getBoundingClientRect();
    return r.width > 0 && r.right + scrollX > edge && !scrolled(el);
  });
  const el = over.at(-1);
  return el ? el.tagName.toLowerCase() + (el.classList.length ? "." + el.classList[0] : "") : "";
}
return (op, value) => OPS[op](value);
})()
"""

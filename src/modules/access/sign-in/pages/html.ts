/** A page is a form that its script submits. The messages are in script.ts. */
interface Page {
  readonly title: string;
  readonly lead: string;
  readonly content: string;
  readonly wide?: boolean;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly first?: boolean;
}

function field({ name, label, type = 'text', autocomplete, hint, optional, first }: Field): string {
  const described = hint ? ` aria-describedby="${name}-hint"` : '';
  const plain = type === 'text' ? ' autocapitalize="none" spellcheck="false"' : '';
  return `<label for="${name}">${label}${optional ? ' (optional)' : ''}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${plain}${described}${optional ? '' : ' required'}${first ? ' autofocus' : ''}>
${hint ? `<p class="hint" id="${name}-hint">${hint}</p>\n` : ''}`;
}

const form = (fields: readonly Field[], button: string): string => `<form id="form" novalidate>
${fields.map(field).join('')}<p class="problem" id="problem" role="alert"></p>
<button type="submit">${button}</button>
</form>
<p class="done" id="done" role="status"></p>`;

const newPassword: readonly Field[] = [
  {
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 10 characters. Several words are easier to remember than special characters.',
    first: true,
  },
  {
    name: 'repeated',
    label: 'Repeat the password',
    type: 'password',
    autocomplete: 'new-password',
  },
];

const toLogin = (base: string) => `<p class="below"><a href="${base}/login">Sign in</a></p>`;

const pages = {
  login: (base: string): Page => ({
    title: 'Sign in',
    lead: 'Welcome to Burgee',
    content: `<p class="problem" id="refusal" role="alert"></p>
<div id="with-password">
${form(
  [
    { name: 'username', label: 'User name or e-mail', autocomplete: 'username', first: true },
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  ],
  'Sign in',
)}
<p class="below"><a href="${base}/forgotten-password">Forgotten your password?</a></p>
</div>
<a class="button quiet" id="with-oidc" href="${base}/auth/oidc/login" hidden>Sign in with single sign-on</a>`,
  }),

  'forgotten-password': (base: string): Page => ({
    title: 'Forgotten password',
    lead: 'We will send you a link to set a new one',
    content: `${form(
      [{ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', first: true }],
      'Send the link',
    )}
${toLogin(base)}`,
  }),

  'reset-password': (base: string): Page => ({
    title: 'New password',
    lead: 'This ends all your sessions',
    content: `${form(newPassword, 'Set the password')}
${toLogin(base)}`,
  }),

  invitation: (base: string): Page => ({
    title: 'Welcome',
    lead: 'Set a password, then sign in',
    content: `${form(newPassword, 'Set the password')}
${toLogin(base)}`,
  }),

  'sign-up': (base: string): Page => ({
    title: 'Join',
    lead: 'You have been invited to Burgee',
    content: `${form(
      [
        { name: 'name', label: 'Name', autocomplete: 'name', first: true },
        { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' },
        { name: 'username', label: 'User name', autocomplete: 'username', optional: true },
        { ...(newPassword[0] as Field), label: 'Password', first: false },
      ],
      'Join',
    )}
${toLogin(base)}`,
  }),

  account: (): Page => ({
    title: 'Your account',
    lead: '',
    wide: true,
    content: `<p class="problem" id="problem" role="alert"></p>
<div id="content" hidden>
<dl id="person"></dl>
<h2 id="sessions-title">Where you are signed in</h2>
<ul id="sessions" aria-labelledby="sessions-title"></ul>
<p class="done" id="done" role="status"></p>
<div class="row">
<button type="button" class="quiet" id="end-others">Sign out everywhere else</button>
<button type="button" id="sign-out">Sign out</button>
</div>
</div>`,
  }),
};

export type PageName = keyof typeof pages;

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] as string);

/** The HTML of a page. `basePath` is the path of the installation on its host. */
export function pageHtml(name: PageName, basePath: string): string {
  const base = escaped(basePath);
  const { title, lead, content, wide } = pages[name](base);
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Burgee</title>
<link rel="icon" type="image/svg+xml" href="${base}/sign-in/burgee.svg">
<link rel="stylesheet" href="${base}/sign-in/page.css">
<script src="${base}/sign-in/page.js" defer></script>
</head>
<body data-page="${name}">
<main${wide ? ' class="wide"' : ''}>
<img class="logo" src="${base}/sign-in/burgee.svg" alt="Burgee">
<h1>${title}</h1>
<p class="lead" id="lead">${lead}</p>
<noscript><p class="problem">This page needs JavaScript, which is switched off.</p></noscript>
${content}
</main>
</body>
</html>
`;
}

/** What the pages do. Nothing that comes from outside is ever written as HTML. */
export const script = String.raw`'use strict';
(() => {
  const base = document.documentElement.dataset.base;
  const byId = (id) => document.getElementById(id);
  const address = new URLSearchParams(location.search);
  const go = (path) => location.assign(base + path);

  /** To the page from which somebody came here, if it is one of ours. */
  const goOn = () => {
    const target = new URL(address.get('redirect') || base + '/', location.href);
    location.assign(target.origin === location.origin ? target : base + '/');
  };

  const fieldNames = {
    username: 'The user name', email: 'The e-mail address', name: 'The name', password: 'The password',
  };

  /** '/body/password must …' is for programs. */
  const readable = (message) =>
    message.replace(/^\/\w+(?:\/(\w+))? /, (_, field) => (fieldNames[field] || 'What you sent') + ' ');

  async function ask(method, path, body) {
    const answer = await fetch(base + path, {
      method,
      credentials: 'same-origin',
      redirect: 'manual',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch(() => { throw new Error('The server cannot be reached. Try again later'); });
    if (answer.type === 'opaqueredirect') return undefined;
    const text = await answer.text();
    let told;
    try { told = text === '' ? undefined : JSON.parse(text); } catch { told = {}; }
    if (answer.ok) return told;
    const { message = 'Something went wrong', details = [] } = told || {};
    const words = answer.status === 400 && details.length > 0
      ? details.map((each) => readable(each.message)).join('\n')
      : message;
    throw Object.assign(new Error(words), {
      status: answer.status,
      fields: details.map(({ path = '' }) => path.split('/')[2]),
    });
  }

  const show = (words) => { byId('problem').textContent = words; };

  function mark(fields) {
    const inputs = [...document.querySelectorAll('#form input')];
    for (const input of inputs) {
      if (fields.includes(input.name)) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
    const first = inputs.find((input) => fields.includes(input.name)) || inputs[0];
    if (fields.length > 0 && first) first.focus();
  }

  /** Sends the form by this work: once at a time, and says what is wrong with it. */
  function onSubmit(work) {
    const form = byId('form');
    const button = form.querySelector('button');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      show('');
      const empty = [...form.querySelectorAll('input[required]')].filter(({ value }) => value === '');
      if (empty.length > 0) {
        show('Please fill in what is missing');
        return mark(empty.map(({ name }) => name));
      }
      mark([]);
      button.disabled = true;
      try {
        await work(Object.fromEntries(new FormData(form)));
      } catch (error) {
        show(error.message);
        mark(error.fields || []);
      } finally {
        button.disabled = false;
      }
    });
  }

  function finish(words) {
    byId('form').hidden = true;
    byId('done').textContent = words;
  }

  const useless = (error) => {
    byId('form').hidden = true;
    byId('lead').textContent = '';
    show(error.status === 404
      ? 'This link was used, has expired or never was one. Ask for a new one.'
      : error.message);
  };

  const token = address.get('token') || '';

  /** A link to set a password: that of an invitation, or of a reset. */
  async function setPassword(greet) {
    try {
      const person = await ask('GET', '/auth/reset/validate?token=' + encodeURIComponent(token));
      greet(person.name || person.username || person.email || '');
    } catch (error) {
      return useless(error);
    }
    onSubmit(async ({ password, repeated }) => {
      if (password !== repeated) {
        throw Object.assign(new Error('The two passwords are not the same'), { fields: ['repeated'] });
      }
      try {
        await ask('POST', '/auth/reset/password', { token, password });
      } catch (error) {
        if (error.status === 404) return useless(error);
        throw error;
      }
      finish('The password is set. You can sign in with it now.');
    });
  }

  const when = (text) => new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

  function sessionItem(session, reload) {
    const item = document.createElement('li');
    const words = document.createElement('div');
    words.append(
      element('p', (session.current ? 'This browser · ' : '') + (session.userAgent || 'Unknown browser')),
      Object.assign(
        element('p', (session.ip || 'unknown address') + ', since ' + when(session.createdAt)
          + ', last used ' + when(session.seenAt)),
        { className: 'hint' },
      ),
    );
    item.append(words);
    if (!session.current) {
      const button = Object.assign(element('button', 'End'), { type: 'button', className: 'quiet' });
      button.setAttribute('aria-label', 'End the session of ' + (session.userAgent || 'an unknown browser'));
      button.addEventListener('click', () =>
        during(button, async () => {
          await ask('DELETE', '/api/admin/user/sessions/' + session.id);
          await reload();
          byId('done').textContent = 'The session is ended.';
        }));
      item.append(button);
    }
    return item;
  }

  /** A button that does something by itself. */
  async function during(button, work) {
    button.disabled = true;
    show('');
    try {
      await work();
    } catch (error) {
      if (error.status === 401) return go('/login');
      show(error.message);
    } finally {
      button.disabled = false;
    }
  }

  async function showSessions() {
    const { sessions } = await ask('GET', '/api/admin/user/sessions');
    byId('sessions').replaceChildren(...sessions.map((session) => sessionItem(session, showSessions)));
    byId('end-others').hidden = !sessions.some(({ current }) => !current);
  }

  function showPerson({ name, username, email }) {
    byId('lead').textContent = name || username || email || '';
    const known = [['Name', name], ['User name', username], ['E-mail', email]].filter(([, text]) => text);
    byId('person').replaceChildren(
      ...known.flatMap(([what, text]) => [element('dt', what), element('dd', text)]),
    );
  }

  /** Why single sign-on brought somebody back here. */
  const refusals = {
    'log-in-expired': 'That took too long, or was begun in another browser. Please try again.',
    'log-in-cancelled': 'Signing in was cancelled.',
    'provider-unavailable': 'The provider of log-ins does not answer just now. Please try again.',
    'sign-in-not-set-up': 'Single sign-on is not set up as it should be. Please tell an administrator.',
    'account-unknown': 'You have no account here yet. Please ask an administrator for one.',
    'account-incomplete': 'The provider does not tell who you are. Please tell an administrator.',
    'account-taken': 'Your address belongs to another account here. Please tell an administrator.',
    'email-not-verified': 'The provider has not verified your e-mail address.',
    'email-domain-not-allowed': 'People with an address of your domain cannot sign in here.',
    maintenance: 'Nobody new can join during maintenance. Please try again later.',
  };

  const pages = {
    async login() {
      const refusal = address.get('error');
      if (refusal !== null) {
        byId('refusal').textContent = Object.hasOwn(refusals, refusal)
          ? refusals[refusal]
          : 'Signing in did not work. Please try again, or tell an administrator.';
      }
      onSubmit(async ({ username, password }) => {
        await ask('POST', '/auth/simple/login', { username, password });
        goOn();
      });
      const ways = await ask('GET', '/auth/providers');
      byId('with-password').hidden = !ways.password;
      byId('with-oidc').hidden = !ways.oidc;
    },

    async 'forgotten-password'() {
      onSubmit(async ({ email }) => {
        await ask('POST', '/auth/reset/password-email', { email });
        finish('If somebody here has this address, a link is on its way to it.'
          + ' If none comes, an administrator can make one for you.');
      });
    },

    'reset-password': () =>
      setPassword((name) => { byId('lead').textContent = 'For ' + name + '; it ends all your sessions'; }),

    invitation: () =>
      setPassword((name) => { byId('lead').textContent = 'Hello ' + name + ': set a password, then sign in'; }),

    async 'sign-up'() {
      const link = '/invite/' + encodeURIComponent(address.get('invite') || '');
      try {
        await ask('GET', link + '/validate');
      } catch (error) {
        return useless(error);
      }
      onSubmit(async ({ name, email, username, password }) => {
        const wish = username === '' ? { name, email, password } : { name, email, username, password };
        await ask('POST', link + '/signup', wish);
        await ask('POST', '/auth/simple/login', { username: email, password });
        go('/');
      });
    },

    async account() {
      try {
        const { user } = await ask('GET', '/api/admin/user');
        showPerson(user);
        await showSessions();
      } catch (error) {
        if (error.status === 401) return location.replace(base + '/login');
        return show(error.message);
      }
      byId('content').hidden = false;
      byId('sign-out').addEventListener('click', ({ currentTarget }) =>
        during(currentTarget, async () => {
          await ask('POST', '/logout');
          go('/login');
        }));
      byId('end-others').addEventListener('click', ({ currentTarget }) =>
        during(currentTarget, async () => {
          await ask('DELETE', '/api/admin/user/sessions');
          await showSessions();
          byId('done').textContent = 'All other sessions are ended.';
        }));
    },
  };

  pages[document.body.dataset.page]().catch((error) => show(error.message));
})();
`;

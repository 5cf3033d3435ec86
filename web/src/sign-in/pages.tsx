import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, Suspense, use, useEffect, useState } from 'react';
import { ApiError, api, basePath } from '../api.ts';
import { type Field, FieldError, Form } from './form.tsx';
import { returnAddress } from './return-to.ts';
import { tellOtherTabs } from './session.ts';
import classes from './sign-in.module.css';
import { askWays, SignInForm } from './sign-in-form.tsx';
import { refusalWords, wordsOf } from './words.ts';

const address = new URLSearchParams(window.location.search);

interface FrameProps {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children?: ReactNode;
}

function Frame({ title, lead, children }: FrameProps) {
  useDocumentTitle(`${title} · Burgee`);
  return (
    <main className={classes.page}>
      <div className={`card ${classes.card}`}>
        <img
          className={classes.logo}
          src={`${basePath}burgee.svg`}
          alt="Burgee"
          width={64}
          height={48}
        />
        <Title order={1} size="h2" ta="center">
          {title}
        </Title>
        <Text className="quiet" ta="center" mb="lg">
          {lead}
        </Text>
        {children}
      </div>
    </main>
  );
}

const ToLogin = () => (
  <Anchor size="sm" ta="center" href={`${basePath}login`}>
    Sign in
  </Anchor>
);

const Done = ({ children }: { readonly children: ReactNode }) => (
  <Stack>
    <Alert color="teal" role="status">
      {children}
    </Alert>
    <ToLogin />
  </Stack>
);

const ways = askWays();

function Login() {
  const refusal = address.get('error');
  const target = returnAddress(address.get('redirect'), {
    origin: window.location.origin,
    basePath,
  });
  return (
    <Frame title="Sign in" lead="Welcome to Burgee">
      {refusal !== null && (
        <Alert color="red" role="alert" mb="md">
          {refusalWords(refusal)}
        </Alert>
      )}
      <Suspense>
        <SignInForm ways={ways} oidc={target} onSignedIn={() => window.location.assign(target)} />
      </Suspense>
    </Frame>
  );
}

function ForgottenPassword() {
  const [isSent, setSent] = useState(false);
  return (
    <Frame title="Forgotten password" lead="We will send you a link to set a new one">
      {isSent ? (
        <Done>
          If somebody here has this address, a link is on its way to it. If none comes, an
          administrator can make one for you.
        </Done>
      ) : (
        <Form
          fields={[{ name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email' }]}
          button="Send the link"
          onSubmit={async ({ email = '' }) => {
            await api('POST /auth/reset/password-email', { body: { email } });
            setSent(true);
          }}
        >
          <ToLogin />
        </Form>
      )}
    </Frame>
  );
}

const passwordField: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autoComplete: 'new-password',
  hint: 'At least 10 characters. Several words are easier to remember than special characters.',
};

/** What the server said about a link, or why it is of no use. */
type Checked<T> = { readonly link: T } | { readonly useless: string };

const uselessness = (error: unknown): { useless: string } => ({
  useless:
    error instanceof ApiError && [400, 404].includes(error.status)
      ? 'This link was used, has expired or never was one. Ask for a new one.'
      : wordsOf(error),
});

const checked = <T,>(asking: Promise<T>): Promise<Checked<T>> =>
  asking.then((link) => ({ link }), uselessness);

const Useless = ({ title, words }: { readonly title: string; readonly words: string }) => (
  <Frame title={title}>
    <Stack>
      <Alert color="red" role="alert">
        {words}
      </Alert>
      <ToLogin />
    </Stack>
  </Frame>
);

const token = address.get('token') ?? '';

const checkPasswordLink = () => checked(api('GET /auth/reset/validate', { query: { token } }));

interface PasswordProps {
  readonly title: string;
  readonly lead: (name: string) => string;
  readonly asking: ReturnType<typeof checkPasswordLink>;
}

/** A link to set a password: that of an invitation, or of a reset. */
function SetPassword({ title, lead, asking }: PasswordProps) {
  const answer = use(asking);
  const [useless, setUseless] = useState<string>();
  const [isDone, setDone] = useState(false);
  const words = 'useless' in answer ? answer.useless : useless;
  if (words !== undefined) return <Useless title={title} words={words} />;
  const { name, username, email } = 'link' in answer ? answer.link : {};
  if (isDone) {
    return (
      <Frame title={title}>
        <Done>The password is set. You can sign in with it now.</Done>
      </Frame>
    );
  }
  return (
    <Frame title={title} lead={lead(name || username || email || '')}>
      <Form
        fields={[
          passwordField,
          {
            name: 'repeated',
            label: 'Repeat the password',
            type: 'password',
            autoComplete: 'new-password',
          },
        ]}
        button="Set the password"
        onSubmit={async ({ password = '', repeated }) => {
          if (password !== repeated) {
            throw new FieldError('repeated', 'The two passwords are not the same');
          }
          try {
            await api('POST /auth/reset/password', { body: { token, password } });
            setDone(true);
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404) throw error;
            setUseless(uselessness(error).useless);
          }
        }}
      >
        <ToLogin />
      </Form>
    </Frame>
  );
}

const invite = address.get('invite') ?? '';

const checkInvite = () =>
  checked(api('GET /invite/:token/validate', { params: { token: invite } }));

function Join({ asking }: { readonly asking: ReturnType<typeof checkInvite> }) {
  const answer = use(asking);
  if ('useless' in answer) return <Useless title="Join" words={answer.useless} />;
  return (
    <Frame title="Join" lead="You have been invited to Burgee">
      <Form
        fields={[
          { name: 'name', label: 'Name', autoComplete: 'name' },
          { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email' },
          { name: 'username', label: 'User name', autoComplete: 'username', isOptional: true },
          { ...passwordField, label: 'Password' },
        ]}
        button="Join"
        onSubmit={async ({ name = '', email = '', username = '', password = '' }) => {
          await api('POST /invite/:token/signup', {
            params: { token: invite },
            body: { name, email, password, ...(username !== '' && { username }) },
          });
          await api('POST /auth/simple/login', { body: { username: email, password } });
          window.location.assign(basePath);
        }}
      >
        <ToLogin />
      </Form>
    </Frame>
  );
}

/** Where single sign-on ends in a small window: the page that opened it goes on. */
function SignedIn() {
  useEffect(() => {
    tellOtherTabs();
    window.close();
  }, []);
  return <Frame title="You are signed in" lead="You can close this window." />;
}

/** What an address shows. A link is checked once, before anything is drawn. */
function pageOf(name: string): () => ReactNode {
  switch (name) {
    case 'forgotten-password':
      return () => <ForgottenPassword />;
    case 'signed-in':
      return () => <SignedIn />;
    case 'reset-password': {
      const asking = checkPasswordLink();
      const lead = (person: string) => `For ${person}; it ends all your sessions`;
      return () => <SetPassword title="New password" lead={lead} asking={asking} />;
    }
    case 'new-user': {
      if (address.has('invite')) {
        const asking = checkInvite();
        return () => <Join asking={asking} />;
      }
      const asking = checkPasswordLink();
      const lead = (person: string) => `Hello ${person}: set a password, then sign in`;
      return () => <SetPassword title="Welcome" lead={lead} asking={asking} />;
    }
    default:
      return () => <Login />;
  }
}

const show = pageOf(window.location.pathname.slice(basePath.length));

export const PageHere = () => <Suspense>{show()}</Suspense>;

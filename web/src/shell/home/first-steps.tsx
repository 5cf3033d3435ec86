import { Button, Code, Group, Stack, Tabs, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NewFeatureButton } from '../../flags/create/new-feature.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './home.module.css';
import { askSnippets } from './snippets.ts';
import type { Steps } from './steps.ts';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** The step that comes next is the one that is open. */
  readonly isNext: boolean;
  readonly children: ReactNode;
}

const Step = ({ number, title, isDone, isNext, children }: StepProps) => (
  <li className={classes.step} data-next={isNext || undefined}>
    <ThemeIcon
      radius="xl"
      variant={isDone ? 'filled' : 'default'}
      aria-label={isDone ? 'done' : 'to do'}
      role="img"
    >
      {isDone ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{number}</span>}
    </ThemeIcon>
    <Stack gap="xs" miw={0}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {!isDone && children}
    </Stack>
  </li>
);

function Commands({ feature }: { readonly feature: string }) {
  const snippets = askSnippets(feature);
  return (
    <Tabs defaultValue="curl" variant="outline">
      <Tabs.List>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, code }) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Stack gap="xs">
            <Code block tabIndex={0} className={classes.code ?? ''} aria-label={`${name} example`}>
              {code}
            </Code>
            <Group>
              <CopyButton text={code} />
            </Group>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** From nothing to a flag that an application asks for. */
export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const { hasFeature, isSwitchedOn, hasToken, wasAsked, feature } = steps;
  const project = feature?.project ?? 'default';
  const next = [hasFeature, isSwitchedOn, hasToken, wasAsked].indexOf(false);
  return (
    <ol className={`card ${classes.steps}`}>
      <Step number={1} title="Create a feature" isDone={hasFeature} isNext={next === 0}>
        <Text size="sm">
          A feature is what your code asks for by its name, such as <Code>new-checkout</Code>.
        </Text>
        <Group>
          <NewFeatureButton />
        </Group>
      </Step>
      <Step number={2} title="Switch it on" isDone={isSwitchedOn} isNext={next === 1}>
        <Text size="sm">
          Each environment has a switch of its own. Begin with development; production asks first.
        </Text>
        {feature && (
          <Group>
            <Button
              component={Link}
              to={`/projects/${encodeURIComponent(feature.project)}/features/${encodeURIComponent(feature.name)}`}
              size="sm"
              variant="default"
            >
              Open {feature.name}
            </Button>
          </Group>
        )}
      </Step>
      <Step
        number={3}
        title="Create a token for your application"
        isDone={hasToken}
        isNext={next === 2}
      >
        <Text size="sm">
          A server-side application needs a backend token for one environment. A browser or a phone
          needs a frontend token. The secret is shown when the token is made.
        </Text>
        <Group>
          <Button
            component={Link}
            to={`/projects/${encodeURIComponent(project)}/settings/api-access`}
            size="sm"
            variant="default"
          >
            Tokens of {project}
          </Button>
        </Group>
      </Step>
      <Step number={4} title="Ask from your code" isDone={wasAsked} isNext={next === 3}>
        <Text size="sm">
          Any SDK of Unleash works. This page notices the first time that an application asks.
        </Text>
        <Commands feature={feature?.name ?? 'new-checkout'} />
      </Step>
    </ol>
  );
}

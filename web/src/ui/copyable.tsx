import { Code, Group, Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CopyIcon } from './copy-button.tsx';
import classes from './copyable.module.css';

interface Props {
  readonly text: string;
  /** The text of the button, such as "Copy link". */
  readonly label: string;
  readonly testId?: string;
}

/** A text to copy: a secret, or a link. */
export const Copyable = ({ text, label, testId }: Props) => (
  <Group gap="xs" wrap="nowrap">
    <Code className={classes.text ?? ''} data-testid={testId}>
      {text}
    </Code>
    <CopyIcon text={text} label={label} />
  </Group>
);

interface Snippet {
  readonly language: string;
  /** The command that installs what the code needs. */
  readonly install?: string | undefined;
  readonly code: string;
}

/** The same piece of code in several languages. The one that was chosen last comes first everywhere. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const [language, setLanguage] = useLocalStorage({
    key: 'burgee-language',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const shown = snippets.find((each) => each.language === language) ?? snippets[0];
  return (
    <Tabs
      value={shown?.language ?? null}
      onChange={(chosen) => setLanguage(chosen ?? '')}
      keepMounted={false}
    >
      <Tabs.List aria-label="Language">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, install, code }) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          {install !== undefined && (
            <Code block mb="xs" tabIndex={0}>
              {install}
            </Code>
          )}
          <div className={classes.snippet}>
            <Code block tabIndex={0}>
              {code}
            </Code>
            <CopyIcon text={code} label={`Copy ${language} code`} />
          </div>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

import { useState, type ReactNode } from "react";
import type { Question } from "@/api/model";
import { Button } from "@/components/ui/Button";
import { Card } from "@/components/ui/Card";
import { Input } from "@/components/ui/Field";
import { Segments } from "@/components/ui/Segments";
import { Words } from "@/components/ui/Words";
import { common } from "@words/common";
import { composer } from "@words/composer";
import css from "./Composer.module.css";

interface QuestionFormProps {
  words: string;
  questions: Question[];
  onAnswer: (answers: Record<string, string>) => void;
  onCancel: () => void;
}

/** What has to be known before there can be a plan. What has a default may be left as it is. */
export function QuestionForm({ words, questions, onAnswer, onCancel }: QuestionFormProps): ReactNode {
  const [answers, setAnswers] = useState<Record<string, string>>(() =>
    Object.fromEntries(questions.map((question) => [question.key, question.default])),
  );
  const [missing, setMissing] = useState(false);
  const set = (key: string, value: string): void => setAnswers({ ...answers, [key]: value });

  return (
    <Card padded={false}>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const given = Object.fromEntries(Object.entries(answers).filter(([, value]) => value.trim() !== ""));
          if (questions.some(({ key, default: usual }) => usual === "" && !given[key])) {
            setMissing(true);
            event.currentTarget.querySelector("input")?.focus();
          } else onAnswer(given);
        }}
      >
        <h3>
          <Words text={words} />
        </h3>
        {questions.map(({ key, text, default: usual, options }) =>
          options.length > 0 ? (
            <div key={key} className={css.question}>
              <p>
                <Words text={text} />
              </p>
              <Segments
                label={text}
                value={answers[key] ?? usual}
                options={options.map((option) => ({ key: option, words: option }))}
                onChange={(value) => set(key, value)}
              />
            </div>
          ) : (
            <Input
              key={key}
              label={text}
              value={answers[key] ?? ""}
              maxLength={200}
              error={missing && usual === "" && !answers[key]?.trim() ? composer.questions.needed : null}
              onChange={(event) => set(key, event.target.value)}
            />
          ),
        )}
        <div className={css.row}>
          <Button onClick={onCancel}>{common.cancel}</Button>
          <Button type="submit" kind="primary">
            {composer.questions.submit}
          </Button>
        </div>
      </form>
    </Card>
  );
}

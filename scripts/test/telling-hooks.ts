// Loaded before a test file: makes uvu tell when a hook fails. By itself it says nothing of that, and when the hook after a
// failed test throws too, not even why the test failed.
import { type Callback, test } from "uvu";

type Register = (hook: Callback) => void;

const tell = (when: string, error: unknown) => console.error(`\n  FAIL  the hook ${when}:`, error);

function telling(when: string, register: Register): Register {
  return (hook) =>
    register(async (context) => {
      try {
        await hook(context);
      } catch (error) {
        tell(when, error);
        throw error;
      }
    });
}

/** Throws no more, so that uvu goes on to report the test; the process fails for it in the end. */
function failingLate(when: string, register: Register): Register {
  return (hook) =>
    register(async (context) => {
      try {
        await hook(context);
      } catch (error) {
        tell(`${when} "${context.__test__}"`, error);
        process.once("exit", () => {
          process.exitCode ||= 1;
        });
      }
    });
}

test.before = Object.assign(telling("before all tests", test.before), { each: telling("before each test", test.before.each) });
test.after = Object.assign(failingLate("after all tests", test.after), { each: failingLate("after", test.after.each) });

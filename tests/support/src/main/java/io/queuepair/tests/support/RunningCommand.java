// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command that runs on a thread of its own, beside the test. */
public final class RunningCommand implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 120;

  private final CommandTranscript out = new CommandTranscript();
  private final FutureTask<CommandRun> run;
  private final Thread thread;

  private RunningCommand(String... args) {
    run = new FutureTask<>(() -> CommandRun.of(out, args));
    thread = new Thread(run, String.join(" ", args));
    thread.setDaemon(true);
  }

  /** Starts a command. */
  public static RunningCommand start(String... args) {
    RunningCommand command = new RunningCommand(args);
    command.thread.start();
    return command;
  }

  /** Waits until the command has printed a text. */
  public RunningCommand awaitOutput(String text) throws InterruptedException {
    assertThat(out.await(text, TIMEOUT_SECONDS)).as("%s in: %s", text, out).isTrue();
    return this;
  }

  /** Output so far. */
  public String output() {
    return out.toString();
  }

  /** Whether it has not ended. */
  public boolean isRunning() {
    return !run.isDone();
  }

  /** Waits for the end. */
  public CommandRun await() throws InterruptedException {
    try {
      return run.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(thread.getName() + " did not end well: " + out, e);
    }
  }

  /** A wait of the command that is still on ends with an error. */
  @Override
  public void close() {
    thread.interrupt();
  }
}

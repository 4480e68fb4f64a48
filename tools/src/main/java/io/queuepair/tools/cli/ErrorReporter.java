// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.verbs.VerbsException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports failures of commands: one line on standard error; a stack trace for a bug only. */
public final class ErrorReporter {
  private static final int FAILED = 1;

  private ErrorReporter() {}

  /** Reports invalid arguments and returns the exit code. */
  public static int ofWrongArguments(ParameterException wrong, String[] args) {
    print(wrong);
    return wrong.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Prints the line for an invalid argument, and the command for help. */
  public static void print(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + sentence(wrong) + " (see '" + name + " --help')");
  }

  /** Reports a failure of a command with valid arguments; rethrows it if it is a bug. */
  public static int ofFailure(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!isForTheUser(failure)) {
      throw failure;
    }
    String name = command.getCommandSpec().qualifiedName();
    String trouble =
        failure instanceof IOException broken ? sentence(broken) : failure.getMessage();
    command.getErr().println(name + ": " + trouble);
    return FAILED;
  }

  /** Error message, with a suggestion for a misspelt word. */
  private static String sentence(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return sentence(unmatched, command.getCommandSpec());
    }
    if (wrong instanceof MissingParameterException && !command.getUnmatchedArguments().isEmpty()) {
      UnmatchedArgumentException unmatched =
          new UnmatchedArgumentException(command, command.getUnmatchedArguments());
      if (unmatched.isUnknownOption()) {
        return sentence(unmatched, command.getCommandSpec()); // Likely a misspelling of it.
      }
    }
    return wrong.getMessage();
  }

  private static String sentence(UnmatchedArgumentException unmatched, CommandSpec command) {
    String culprit = unmatched.getUnmatched().get(0);
    boolean isOption = unmatched.isUnknownOption();
    boolean isCommand = !isOption && !command.subcommands().isEmpty();
    String kind = isOption ? "option" : isCommand ? "command" : "argument";
    List<String> known =
        isOption
            ? command.options().stream().flatMap(option -> Stream.of(option.names())).toList()
            : List.copyOf(command.subcommands().keySet());
    return "unknown " + kind + " '" + culprit + "'" + Suggestion.of(culprit, known);
  }

  private static String sentence(IOException trouble) {
    return trouble instanceof FileSystemException ofFile && ofFile.getFile() != null
        ? ofFile.getFile() + ": " + why(trouble)
        : why(trouble);
  }

  /** Whether the reader of a pipe has closed it: the word is the same in each language. */
  public static boolean isReaderGone(IOException trouble) {
    return String.valueOf(trouble.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  /** Reason why a file cannot be used; most Java exceptions only name the file. */
  public static String why(IOException trouble) {
    if (trouble instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (trouble instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (trouble instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    }
    String reason =
        trouble instanceof FileSystemException ofFile ? ofFile.getReason() : trouble.getMessage();
    if (reason == null) {
      return "the system does not say why";
    }
    return reason.equals("Is a directory") ? "it is a directory" : reason;
  }

  private static boolean isForTheUser(Exception failure) {
    return failure instanceof CommandFailure
        || failure instanceof FabricException
        || failure instanceof VerbsException
        || failure instanceof IOException;
  }
}

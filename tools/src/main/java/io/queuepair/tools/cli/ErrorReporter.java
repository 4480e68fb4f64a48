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

/** How commands fail: one line on standard error, no stack trace unless it is a bug. */
public final class ErrorReporter {
  private static final int FAILED = 1;

  private ErrorReporter() {}

  /** Reports arguments that the command does not understand. */
  public static int ofWrongArguments(ParameterException wrong, String[] args) {
    print(wrong);
    return wrong.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Prints the line for an argument that is wrong, and where to read more. */
  public static void print(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + sentence(wrong) + " (see '" + name + " --help')");
  }

  /** Reports a failure of a command that understood its arguments; throws it on if it is a bug. */
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

  /** Error, and for a word that is nearly right a suggestion. */
  private static String sentence(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return sentence(unmatched, command.getCommandSpec());
    }
    if (wrong instanceof MissingParameterException && !command.getUnmatchedArguments().isEmpty()) {
      UnmatchedArgumentException unmatched =
          new UnmatchedArgumentException(command, command.getUnmatchedArguments());
      if (unmatched.isUnknownOption()) {
        return sentence(unmatched, command.getCommandSpec()); // Likely what is missing.
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

  /** The system says so in the language of the user, of which this word is a part. */
  public static boolean isReaderGone(IOException trouble) {
    return String.valueOf(trouble.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  /**
   * Why a file cannot be read or written, in words. What Java says of most failures is but the name
   * of the file.
   */
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.page.PageTemplate;
import io.queuepair.tools.states.AutomaticTransition.Cause;
import io.queuepair.tools.states.PictureLayout.Curve;
import io.queuepair.tools.states.PictureLayout.Point;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * State machine of one type of queue pair as SVG, in the order of the specification: from creation
 * down to RTS, with ERR at the side. Transitions that a call requests are solid arrows, automatic
 * ones dashed. RESET and ERR, which a call can reach from every state, have one arrow for all
 * states.
 */
public final class StatePicture {
  private static final int LABEL_WIDTH = 31;
  private static final int LINE_HEIGHT = 14;

  private final TransitionTable table;
  private final QpType type;
  private final PictureView view;
  private final StringBuilder svg = new StringBuilder();

  private StatePicture(TransitionTable table, QpType type, PictureView view) {
    this.table = table;
    this.type = type;
    this.view = view;
  }

  /** Draws a state machine for a page that includes {@link #style}. */
  public static String inPage(TransitionTable table, QpType type, PictureView view) {
    return new StatePicture(table, type, view).drawn("");
  }

  /** Draws a state machine for a file of its own. */
  public static String document(TransitionTable table, QpType type) {
    return new StatePicture(table, type, new PictureView() {})
        .drawn("<style>\n" + style() + "</style>\n");
  }

  /** Stylesheet for light and dark mode; its selectors match nothing else on a page. */
  public static String style() {
    return PageTemplate.text(StatePicture.class, "states.css");
  }

  private String drawn(String style) {
    add(
        "<svg class=\"qp-states\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
            + " role=\"group\" aria-label=\"States of queue pairs of type %s\">",
        PictureLayout.WIDTH, PictureLayout.HEIGHT, type);
    svg.append(style);
    add("<circle class=\"start\" cx=\"%d\" cy=\"%d\" r=\"5\"/>", 26, 44);
    curve("", PictureLayout.CREATED);
    label(PictureLayout.CREATED_LABEL, "created");
    entriesFromAll();
    for (Transition transition : table.rows()) {
      if (transition.type() == type && isShown(transition)) {
        asked(transition);
      }
    }
    AutomaticTransition.of(type).forEach(this::automatic);
    curve("auto", PictureLayout.DRAINED);
    label(PictureLayout.DRAINED_LABEL, "drained");
    PictureLayout.STATES.keySet().stream().filter(this::exists).forEach(this::state);
    return svg.append("</svg>\n").toString();
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Whether a queue pair of the type can enter a state. */
  private boolean exists(QpState state) {
    return state != QpState.SQE || TransitionTable.hasSendQueueError(type);
  }

  private boolean isShown(Transition transition) {
    boolean isFromAll = transition.to() == QpState.RESET || transition.to() == QpState.ERR;
    return exists(transition.from()) && exists(transition.to()) && !isFromAll;
  }

  /** Draws the arrows from any state, to RESET and to ERR. */
  private void entriesFromAll() {
    curve("", PictureLayout.ANY_TO_RESET);
    label(PictureLayout.ANY_TO_RESET_LABEL, "from any state");
    curve("", PictureLayout.ANY_TO_ERR);
    boolean isReset = table.find(type, QpState.RESET, QpState.ERR).isPresent();
    label(PictureLayout.ANY_TO_ERR_LABEL, isReset ? "from any state" : "from any but RESET");
  }

  private void asked(Transition transition) {
    Curve curve = PictureLayout.asked(transition.from(), transition.to());
    List<String> names = transition.required().stream().map(Enum::name).toList();
    List<String> lines = wrapped(names, LABEL_WIDTH);
    Optional<Point> place = PictureLayout.label(transition.from(), transition.to());
    String text = place.isPresent() ? String.join(" ", lines) : "";
    open(transition.from(), transition.to(), text.isEmpty() ? "" : ": " + text);
    curve(view.look(transition.from(), transition.to()).orElse(""), curve);
    if (place.isPresent()) {
      int first = place.get().y() - (lines.size() - 1) * LINE_HEIGHT / 2;
      for (int i = 0; i < lines.size(); i++) {
        text("label", new Point(place.get().x(), first + i * LINE_HEIGHT), lines.get(i));
      }
    }
    close(transition.from(), transition.to());
  }

  private void automatic(AutomaticTransition change) {
    String text = change.cause() == Cause.SEND_FAILED ? "send failed" : "error";
    open(change.from(), change.to(), ", by itself: " + text);
    String look = view.look(change.from(), change.to()).orElse("");
    curve(("auto " + look).strip(), PictureLayout.automatic(change.from(), change.to()));
    label(PictureLayout.automaticLabel(change.from(), change.to()), text);
    close(change.from(), change.to());
  }

  private void state(QpState state) {
    Point middle = PictureLayout.STATES.get(state);
    String look = view.look(state).map(name -> " " + name).orElse("");
    String note = works(state);
    view.link(state)
        .ifPresent(
            to -> add("<a href=\"%s\" aria-label=\"%s %s\">", escaped(to), state, escaped(note)));
    add("<g class=\"state%s\">", look);
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"10\"/>",
        middle.x() - PictureLayout.HALF_WIDTH,
        middle.y() - PictureLayout.HALF_HEIGHT,
        2 * PictureLayout.HALF_WIDTH,
        2 * PictureLayout.HALF_HEIGHT);
    add("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>", middle.x(), middle.y() - 2, state);
    add(
        "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>",
        middle.x(), middle.y() + 15, escaped(note));
    add("</g>");
    view.link(state).ifPresent(to -> add("</a>"));
  }

  /** Operations that are processed in a state. */
  private String works(QpState state) {
    return switch (state) {
      case RESET -> "nothing";
      case INIT -> "takes receives";
      case RTR -> "receives";
      case RTS -> "sends, receives";
      case SQD -> "drains sends";
      case SQE -> "receives only";
      case ERR -> "flushes";
      case UNKNOWN -> "";
    };
  }

  private void open(QpState from, QpState to, String more) {
    view.link(from, to)
        .ifPresent(
            link ->
                add(
                    "<a href=\"%s\" aria-label=\"%s to %s%s\">",
                    escaped(link), from, to, escaped(more)));
  }

  private void close(QpState from, QpState to) {
    view.link(from, to).ifPresent(link -> add("</a>"));
  }

  /** Draws an arrow, and a wide transparent one that is easy to point at. */
  private void curve(String look, Curve curve) {
    add("<g class=\"%s\">", ("arrow " + look).strip());
    add("<path class=\"near\" d=\"%s\"/>", curve.path());
    add("<path class=\"line\" d=\"%s\"/>", curve.path());
    add("<polygon points=\"%s\"/>", curve.head());
    add("</g>");
  }

  private void label(Point place, String text) {
    text("label", place, text);
  }

  private void text(String look, Point place, String text) {
    add(
        "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>",
        look, place.x(), place.y(), escaped(text));
  }

  /** Wraps words into lines of limited width. */
  public static List<String> wrapped(List<String> words, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : words) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}

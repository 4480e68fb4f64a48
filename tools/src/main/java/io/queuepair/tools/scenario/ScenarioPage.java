// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.page.PageTemplate;
import io.queuepair.tools.states.PictureView;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Self-contained HTML page with the diagram of a run, to step through. */
final class ScenarioPage {
  private ScenarioPage() {}

  static String of(
      ScenarioFile file, ScenarioRun scenarioRun, List<TimelineStep> steps, PageContent content) {
    Map<String, String> parts = new HashMap<>();
    parts.put("STYLE", styleElement(content.assets()));
    parts.put("SCRIPT", scriptElement(content.assets()));
    parts.put("TITLE", XmlWriter.escaped(file.title()));
    parts.put("DESCRIPTION", XmlWriter.escaped(content.description()));
    parts.put("TOP", content.top());
    parts.put("TEXT", content.text());
    StringBuilder heads = new StringBuilder();
    StringBuilder diagrams = new StringBuilder();
    for (DiagramLayout layout : DiagramLayout.values()) {
      heads.append(SequenceDiagram.heads(layout, scenarioRun.hosts()));
      diagrams.append(SequenceDiagram.of(layout, scenarioRun.hosts(), steps)).append('\n');
    }
    parts.put("HEADS", heads.toString());
    parts.put("DIAGRAM", diagrams.toString());
    parts.put("MACHINES", stateMachines(steps));
    parts.put("MOMENTS", json(steps));
    parts.put("STEPS", StepList.of(file, steps, content));
    return PageContent.filled(PageTemplate.text(ScenarioPage.class, "page.html"), parts);
  }

  /** Stylesheet shared by players and other pages: colours, fonts and the top bar. */
  static String theme() {
    return PageTemplate.text(ScenarioPage.class, "theme.css");
  }

  /** Stylesheet of players. */
  static String style() {
    return theme() + PageTemplate.text(ScenarioPage.class, "page.css") + StatePicture.style();
  }

  static String script() {
    return PageTemplate.text(ScenarioPage.class, "panels.js")
        + PageTemplate.text(ScenarioPage.class, "page.js");
  }

  private static String styleElement(String assets) {
    return assets.isEmpty()
        ? "<style>\n" + style() + "</style>"
        : "<link rel=\"stylesheet\" href=\"" + assets + ".css\" />";
  }

  private static String scriptElement(String assets) {
    return assets.isEmpty()
        ? "<script>\n//<![CDATA[\n" + script() + "//]]>\n</script>"
        : "<script src=\"" + assets + ".js\"></script>";
  }

  /** Steps as JSON, without characters that could end the script or begin a tag. */
  private static String json(List<TimelineStep> steps) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    ObjectNode capacities = JsonNodeFactory.instance.objectNode();
    Set<String> names = new HashSet<>();
    // Most objects do not change from step to step: equal ones are written once.
    Map<ObjectNode, Integer> objects = new LinkedHashMap<>();
    TimelineStep before = null;
    for (TimelineStep step : steps) {
      ObjectNode entry = list.addObject();
      entry.put("line", step.line());
      entry.put("nanos", step.nanos());
      ArrayNode numbers = entry.putArray("objects");
      for (ObjectView object : step.objects()) {
        ObjectNode seen = json(object);
        objects.putIfAbsent(seen, objects.size());
        numbers.add(objects.get(seen));
        if (names.add(object.name())) {
          ObjectNode places = capacities.putObject(object.name());
          // Sorted, so that the order is the same in every run.
          new TreeMap<>(object.capacities()).forEach(places::put);
        }
      }
      addStates(entry, step);
      boolean isUsed = step.memory().stream().anyMatch(MemoryView::isUsed);
      if (before == null || isUsed || !texts(step).equals(texts(before))) {
        ArrayNode memory = entry.putArray("memory");
        step.memory().forEach(view -> memory.add(json(view)));
      }
      before = step;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.set("moments", list);
    objects.keySet().forEach(all.putArray("objects")::add);
    all.set("capacities", capacities);
    return all.toString().replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }

  private static ObjectNode json(ObjectView object) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    entry.put("name", object.name());
    entry.put("kind", object.kind());
    entry.put("state", object.state());
    ObjectNode fields = entry.putObject("fields");
    object.fields().forEach(fields::put);
    ObjectNode queues = entry.putObject("queues");
    object.queues().forEach((name, entries) -> entries.forEach(queues.putArray(name)::add));
    return entry;
  }

  private static List<String> texts(TimelineStep step) {
    return step.memory().stream().map(view -> view.name() + view.text()).toList();
  }

  private static void addStates(ObjectNode entry, TimelineStep step) {
    ArrayNode states = entry.putArray("states");
    for (TimelineEvent event : StepEvents.of(step, List.of())) {
      if (event instanceof TimelineEvent.StateChange change) {
        states.addArray().add(change.name()).add(change.from()).add(change.to());
      }
    }
  }

  private static ObjectNode json(MemoryView view) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    entry.put("name", view.name()).put("text", view.text()).put("length", view.length());
    add(entry.putArray("written"), view.written());
    add(entry.putArray("read"), view.read());
    add(entry.putArray("toSend"), view.toSend());
    add(entry.putArray("toReceive"), view.toReceive());
    return entry;
  }

  private static void add(ArrayNode to, List<MemoryView.Bytes> all) {
    all.forEach(bytes -> to.addArray().add(bytes.offset()).add(bytes.length()).add(bytes.hex()));
  }

  /** Pictures of the state machines of all types of queue pairs in the run. */
  private static String stateMachines(List<TimelineStep> steps) {
    XmlWriter all = new XmlWriter();
    for (QpType type : TransitionTable.types()) {
      String kind = ObjectView.kindOf(type);
      boolean isUsed =
          steps.stream()
              .flatMap(step -> step.objects().stream())
              .anyMatch(object -> object.kind().equals(kind));
      if (isUsed) {
        all.open("div", "class", "picture", "data-kind", kind);
        all.markup(StatePicture.inPage(TransitionTable.documented(), type, new StateNames()));
        all.close("div").newLine();
      }
    }
    return all.toString();
  }

  /** Gives states and arrows the CSS classes by which the script finds them. */
  private static final class StateNames implements PictureView {
    @Override
    public Optional<String> look(QpState state) {
      return Optional.of("at-" + state);
    }

    @Override
    public Optional<String> look(QpState from, QpState to) {
      return Optional.of("go-" + from + "-" + to);
    }
  }
}

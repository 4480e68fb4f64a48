// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A page that needs nothing else: the diagram of a run, to be stepped through. */
final class ScenarioPage {
  private ScenarioPage() {}

  static String of(
      ScenarioFile file, ScenarioRun scenarioRun, List<TimelineStep> steps, PageContent content) {
    Map<String, String> parts =
        Map.of(
            "STYLE", resource("page.css"),
            "SCRIPT", resource("page.js"),
            "TITLE", XmlWriter.escaped(file.title()),
            "DESCRIPTION", XmlWriter.escaped(content.description()),
            "TOP", content.top(),
            "TEXT", content.text(),
            "HEADS", SequenceDiagram.heads(scenarioRun.hosts()),
            "MOMENTS", json(steps),
            "STEPS", StepList.of(file, steps, content.hasFaultButtons()),
            "DIAGRAM", SequenceDiagram.of(scenarioRun.hosts(), steps));
    return PageContent.filled(resource("page.html"), parts);
  }

  private static String resource(String name) {
    try (InputStream in = ScenarioPage.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The moments, without any sign that ends a script or begins a tag. */
  private static String json(List<TimelineStep> steps) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (TimelineStep step : steps) {
      ObjectNode entry = list.addObject();
      entry.put("line", step.line());
      entry.put("nanos", step.nanos());
      ArrayNode objects = entry.putArray("objects");
      step.objects().forEach(object -> objects.add(json(object)));
    }
    return list.toString().replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
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
}

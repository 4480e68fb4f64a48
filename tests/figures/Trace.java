// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs {@code Walks} in a debugger, line by line, and prints what of the project each walk runs.
 * Arguments: class path; anything more to list the frames.
 */
final class Trace {
  private static final String PROJECT = "io.queuepair.";

  /**
   * Which frames are counted: those after the last of {@code from}, up to the first of {@code to}.
   */
  private record Way(String name, String walk, String from, String to) {}

  private static final String API = "Walks.*|QueuePair.*";

  /** Patterns of Class.method: the only names of the inside of the device in here. */
  private static final List<Way> WAYS =
      List.of(
          new Way("modify_qp to the new state", "modify_qp", API, "QpContext.enter"),
          new Way("postSend to the ring", "SEND and ACK", API, "Ring.push"),
          new Way("arrival to check", "SEND and ACK", "VirtualScheduler.*", "RequestChecks.*"));

  private final Set<String> visited = new TreeSet<>();
  private final Map<Way, List<String>> frames = new HashMap<>();
  private String walk;
  private boolean lists;

  public static void main(String[] args) throws Exception {
    Trace trace = new Trace();
    trace.lists = args.length > 1;
    trace.run(args[0]);
    for (Way way : WAYS) {
      List<String> names = trace.frames.get(way);
      System.out.println(
          "frames: " + way.name + '\t' + (names == null ? "not found" : names.size()));
      if (trace.lists) System.err.println(way.name + ": " + names);
    }
  }

  private void run(String classPath) throws Exception {
    var connector = Bootstrap.virtualMachineManager().defaultConnector();
    var arguments = connector.defaultArguments();
    arguments.get("main").setValue("Walks");
    arguments.get("options").setValue("-cp \"" + classPath + "\"");
    var vm = connector.launch(arguments);
    var entry = vm.eventRequestManager().createMethodEntryRequest();
    entry.addClassFilter("Walks");
    entry.enable();
    for (boolean runs = true; runs; ) {
      var events = vm.eventQueue().remove();
      for (var event : events) {
        if (event instanceof MethodEntryEvent entered) {
          if (entered.method().name().equals("traced")) beginOrEnd(entered.thread());
        } else if (event instanceof StepEvent step && !isGenerated(step.location())) {
          visit(step.location(), step.thread());
        }
        runs &= !(event instanceof VMDisconnectEvent);
      }
      if (runs) events.resume();
    }
    if (vm.process().waitFor() != 0) {
      vm.process().getErrorStream().transferTo(System.err);
      System.exit(1);
    }
  }

  private void beginOrEnd(ThreadReference thread) throws Exception {
    var requests = thread.virtualMachine().eventRequestManager();
    if (thread.frame(0).getArgumentValues().get(0) instanceof StringReference name) {
      walk = name.value();
      var step = requests.createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_INTO);
      step.addClassFilter(PROJECT + "*");
      step.enable();
      return;
    }
    requests.deleteEventRequests(requests.stepRequests());
    for (String kind : List.of("files", "classes", "packages", "lines")) {
      List<String> names = visited.stream().filter(name -> name.startsWith(kind)).toList();
      System.out.println(walk + ": " + kind + '\t' + names.size());
      if (lists) names.forEach(name -> System.err.println(walk + ": " + name));
    }
    visited.clear();
  }

  /** Whether there is no source: a class made for a lambda, an accessor of a record. */
  private static boolean isGenerated(Location place) throws Exception {
    ReferenceType type = place.declaringType();
    if (place.lineNumber() < 0) return true;
    return type instanceof ClassType c
        && c.superclass().name().equals("java.lang.Record")
        && type.fieldByName(place.method().name()) != null
        && type.allLineLocations().stream().noneMatch(l -> l.lineNumber() < place.lineNumber());
  }

  private void visit(Location place, ThreadReference thread) throws Exception {
    String type = place.declaringType().name();
    String packageName = type.substring(0, type.lastIndexOf('.'));
    String file = place.sourcePath();
    String line = file + ":" + place.lineNumber();
    visited.addAll(
        List.of(
            "files: " + file, "classes: " + type, "packages: " + packageName, "lines: " + line));
    for (Way way : WAYS) {
      if (!way.walk.equals(walk) || frames.containsKey(way) || !name(place).matches(way.to))
        continue;
      List<String> names = new ArrayList<>();
      for (StackFrame frame : thread.frames()) {
        if (name(frame.location()).matches(way.from)) break;
        if (frame.location().lineNumber() >= 0) names.add(0, name(frame.location()));
      }
      frames.put(way, names);
    }
  }

  private static String name(Location place) {
    return place.declaringType().name().replaceFirst(".*\\.", "") + '.' + place.method().name();
  }
}

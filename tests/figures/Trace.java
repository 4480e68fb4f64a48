// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  private final Map<String, Set<String>> visited = new HashMap<>();
  private final Map<Way, List<String>> frames = new HashMap<>();
  private String walk;

  public static void main(String[] args) throws Exception {
    Trace trace = new Trace();
    trace.run(args[0]);
    for (Way way : WAYS) {
      List<String> names = trace.frames.get(way);
      System.out.println(
          "frames: " + way.name + '\t' + (names == null ? "not found" : names.size()));
      if (args.length > 1) System.err.println(way.name + ": " + names);
    }
  }

  private void run(String classPath) throws Exception {
    var connector = Bootstrap.virtualMachineManager().defaultConnector();
    var arguments = connector.defaultArguments();
    arguments.get("main").setValue("Walks");
    arguments.get("options").setValue("-cp \"" + classPath + "\"");
    var vm = connector.launch(arguments);
    var prepare = vm.eventRequestManager().createClassPrepareRequest();
    prepare.addClassFilter("Walks");
    prepare.enable();
    for (boolean runs = true; runs; ) {
      var events = vm.eventQueue().remove();
      for (var event : events) {
        if (event instanceof ClassPrepareEvent prepared) {
          Location traced = prepared.referenceType().methodsByName("traced").get(0).location();
          vm.eventRequestManager().createBreakpointRequest(traced).enable();
        } else if (event instanceof BreakpointEvent reached) {
          beginOrEnd(reached.thread());
        } else if (event instanceof StepEvent step && !isGenerated(step.location())) {
          visit(step.location(), step.thread());
        }
        runs &= !(event instanceof VMDisconnectEvent);
      }
      if (runs) events.resume();
    }
    vm.process().getErrorStream().transferTo(System.err);
    if (vm.process().waitFor() != 0) System.exit(1);
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
      System.out.println(walk + ": " + kind + '\t' + visited.remove(kind).size());
    }
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
    visit("files", place.sourcePath());
    visit("classes", type);
    visit("packages", type.substring(0, type.lastIndexOf('.')));
    visit("lines", place.sourcePath() + place.lineNumber());
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

  private void visit(String kind, String name) {
    visited.computeIfAbsent(kind, first -> new HashSet<>()).add(name);
  }

  private static String name(Location place) {
    return place.declaringType().name().replaceFirst(".*\\.", "") + '.' + place.method().name();
  }
}

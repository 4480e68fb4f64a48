package io.queuepair.emulator.wire;

import java.util.List;
import java.util.Objects;

/**
 * One RoCEv2 packet. Its extensions are those of its opcode, in order. Its payload may be a view of
 * memory that will be reused: see {@link #withOwnPayload()}.
 */
public final class Packet implements Decoded, Outgoing {
  private final Route route;
  private final List<ExtensionHeader> extensions;
  private final Payload payload;
  private final String note;

  // The base header as on the wire: each packet has one, and an object of its own would be longer.
  private final int codeWord;
  private final int qpnWord;
  private final int psnWord;

  /**
   * A packet.
   *
   * @param extensions never changed by whoever made the packet; not copied, which each packet would
   *     pay for
   * @param note why a NAK was sent, or that a request is sent again, in words, or null. Not part of
   *     the packet: captures show it, it reaches the peer only where packets travel as objects, and
   *     makes no difference to {@link #equals}
   */
  public Packet(
      Route route, Bth bth, List<ExtensionHeader> extensions, Payload payload, String note) {
    assert haveKinds(extensions, bth.opcode().headers()) : bth + " with " + extensions;
    this.route = route;
    this.extensions = extensions;
    this.payload = payload;
    this.note = note;
    codeWord = bth.codeWord();
    qpnWord = bth.qpnWord();
    psnWord = bth.psnWord();
  }

  public Packet(Route route, Bth bth, List<ExtensionHeader> extensions, Payload payload) {
    this(route, bth, extensions, payload, null);
  }

  public Route route() {
    return route;
  }

  /** The base header, made anew. */
  public Bth bth() {
    return Bth.ofWords(codeWord, qpnWord, psnWord);
  }

  public int destQpn() {
    return Bth.numberOf(qpnWord);
  }

  public int pkey() {
    return Bth.pkeyOf(codeWord);
  }

  public boolean isMigrated() {
    return Bth.isMigrated(codeWord);
  }

  public boolean asksForAck() {
    return Bth.asksForAck(psnWord);
  }

  public List<ExtensionHeader> extensions() {
    return extensions;
  }

  public Payload payload() {
    return payload;
  }

  public String note() {
    return note;
  }

  private static boolean haveKinds(List<ExtensionHeader> extensions, List<HeaderKind> kinds) {
    boolean same = extensions.size() == kinds.size();
    for (int i = 0; same && i < kinds.size(); i++) {
      same = extensions.get(i).kind() == kinds.get(i);
    }
    return same;
  }

  public Opcode opcode() {
    return Bth.opcodeOf(codeWord);
  }

  public int psn() {
    return Bth.numberOf(psnWord);
  }

  /** The extension of a type, which the opcode must have. */
  public <T extends ExtensionHeader> T header(Class<T> type) {
    for (int i = 0; i < extensions.size(); i++) {
      if (type.isInstance(extensions.get(i))) {
        return type.cast(extensions.get(i));
      }
    }
    throw new AssertionError(opcode() + " has no " + type.getSimpleName());
  }

  public Rdeth rdeth() {
    return header(Rdeth.class);
  }

  public Deth deth() {
    return header(Deth.class);
  }

  public XrcEth xrcEth() {
    return header(XrcEth.class);
  }

  public Feth feth() {
    return header(Feth.class);
  }

  public Reth reth() {
    return header(Reth.class);
  }

  public AtomicEth atomicEth() {
    return header(AtomicEth.class);
  }

  public Aeth aeth() {
    return header(Aeth.class);
  }

  public AtomicAckEth atomicAckEth() {
    return header(AtomicAckEth.class);
  }

  public ImmDt immDt() {
    return header(ImmDt.class);
  }

  public Ieth ieth() {
    return header(Ieth.class);
  }

  /** The same packet with another base header, whose opcode has the same headers. */
  public Packet with(Bth other) {
    return new Packet(route, other, extensions, payload, note);
  }

  /** The same packet with another header in place of the one of its type. */
  public Packet with(ExtensionHeader other) {
    List<ExtensionHeader> changed =
        extensions.stream().map(header -> header.kind() == other.kind() ? other : header).toList();
    return new Packet(route, bth(), changed, payload, note);
  }

  /** The same packet with something to say about it. */
  public Packet withNote(String words) {
    return new Packet(route, bth(), extensions, payload, words);
  }

  /** The same packet, with a payload that nobody else can change. */
  public Packet withOwnPayload() {
    return payload.isEmpty() ? this : new Packet(route, bth(), extensions, payload.copy(), note);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Packet that
        && route.equals(that.route)
        && bth().equals(that.bth())
        && extensions.equals(that.extensions)
        && payload.equals(that.payload);
  }

  @Override
  public int hashCode() {
    return Objects.hash(route, bth(), extensions, payload);
  }

  /** One line of a ladder, without the addresses. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(bth().toString());
    for (ExtensionHeader extension : extensions) {
      line.append(' ').append(extension);
    }
    if (opcode().payloadRule() != PayloadRule.NONE) {
      line.append(' ').append(payload);
    }
    return line.toString();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.rdmacm.spi.RdmaCmProvider;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.Verb;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of one host, which has one device or several: where a program starts. Its
 * ids share the ports of the host. Thread-safe.
 *
 * <pre>{@code
 * try (RdmaEventChannel channel = host.createEventChannel();
 *     RdmaCmId id = channel.createId(RdmaPortSpace.TCP)) {
 *   id.resolveAddr(null, new InetSocketAddress("10.0.0.2", 7471), Duration.ofSeconds(2));
 *   ...
 * }
 * }</pre>
 */
public interface RdmaCm {
  /**
   * The connection manager of the first provider on the class or module path that has devices.
   *
   * @return the same object at every call; empty if there are no devices
   */
  static Optional<RdmaCm> find() {
    for (RdmaCmProvider provider : ServiceLoader.load(RdmaCmProvider.class)) {
      Optional<RdmaCm> found = provider.rdmaCm();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /**
   * Opens a channel for events.
   *
   * @return a new channel
   * @throws io.queuepair.verbs.VerbsException ENODEV if the devices are gone
   */
  @Verb("rdma_create_event_channel")
  RdmaEventChannel createEventChannel();

  /**
   * Creates an id in synchronous mode: what is asynchronous on others waits for its event, which
   * {@link RdmaCmId#event} keeps until the next such call.
   *
   * @param ps port space; it says which type of queue pair the id has: UD for UDP and IPOIB,
   *     otherwise RC
   * @return a new id, bound to nothing
   * @throws io.queuepair.verbs.VerbsException ENODEV if the devices are gone
   */
  @Verb("rdma_create_id")
  RdmaCmId createId(RdmaPortSpace ps);

  /**
   * The devices of the host, each opened once for all ids.
   *
   * @return their contexts, the same at every call; nothing has to be freed, and they must not be
   *     closed
   * @throws io.queuepair.verbs.VerbsException ENODEV if the devices are gone
   */
  @Verb("rdma_get_devices")
  List<Context> getDevices();

  /**
   * Looks for addresses of a node, or with {@link RdmaAddrinfoFlag#PASSIVE} of this host.
   *
   * @param node name or IP address, or null: then a passive id listens at any address, and the peer
   *     of an active one is this host
   * @param service port, 0 to 65535, or the name of a service that the system knows, or null for
   *     any
   * @param hints what to look for, or null for connections of port space TCP; without a node and a
   *     service, the answer has the addresses and flags of the hints
   * @return at least one, those that C has first; of the flags, only {@link
   *     RdmaAddrinfoFlag#PASSIVE} is kept
   * @throws RdmaAddrinfoException if there is none, or the type of queue pair in the hints is none
   *     of their port space
   * @throws io.queuepair.verbs.VerbsException EINVAL if node, service and hints are null;
   *     EOPNOTSUPP for {@link RdmaAddrinfoFlag#SA}
   */
  @Verb("rdma_getaddrinfo")
  List<RdmaAddrinfo> getaddrinfo(
      @Nullable String node, @Nullable String service, @Nullable RdmaAddrinfo hints);

  /**
   * Creates an id in synchronous mode, and binds it or resolves address and route, for 2000 ms
   * each.
   *
   * @param res addresses
   * @param pd domain of the queue pair, or null for the default
   * @param qpInitAttr what the queue pair is created with; that of a passive id is kept for {@link
   *     RdmaCmId#getRequest}. Null for no queue pair. Completion queues that are null are created
   * @return a new id; to be destroyed by {@link RdmaCmId#close}
   * @throws io.queuepair.verbs.VerbsException as {@link RdmaCmId#bindAddr}, {@link
   *     RdmaCmId#resolveAddr}, {@link RdmaCmId#resolveRoute} and {@link RdmaCmId#createQp}, or the
   *     errno of the event that these led to; nothing is left of the id then
   */
  @Verb("rdma_create_ep")
  RdmaCmId createEp(
      RdmaAddrinfo res, @Nullable ProtectionDomain pd, @Nullable QpInitAttr qpInitAttr);
}

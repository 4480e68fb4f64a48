package io.queuepair.verbs;

/**
 * Trouble or news of a queue pair, completion queue or port ({@code struct ibv_async_event}).
 *
 * @param eventType what happened
 * @param element number of the queue pair or port it happened to; 0 for a completion queue
 */
public record AsyncEvent(EventType eventType, int element) {}

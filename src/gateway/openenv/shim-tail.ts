/** The part of every shim that does not depend on its tools. */
export const shimTail = `    def reset(self, **row) -> Optional[str]:
        """Begins an episode. The members \`scenario\`, \`variant\`, \`trial\`, \`seed\` and \`episode_id\` of
        the row select it; all others are left alone.

        Returns:
            What the agent is told: the task, the rules, and what the user says first; None in free play.
        """
        wishes = ("scenario", "variant", "trial", "seed", "episode_id")
        data = {name: row[name] for name in wishes if row.get(name) is not None}
        try:
            answer = self._ask({"type": "reset", "data": data})
        except ConnectionClosed:
            # The server was started anew, or closed an idle connection.
            self._close()
            answer = self._ask({"type": "reset", "data": data})
        self._take(answer)
        offered = self.observation.get("available_tools") or []
        self._offered = {tool["name"] for tool in offered}
        self._check_tools(offered)
        self.episode_id = self.observation.get("episode_id")
        user = self.observation.get("user_message")
        parts = [
            self.observation.get("task"),
            self.observation.get("policy"),
            "The user says: " + user if user else None,
        ]
        return "\\n\\n".join(part for part in parts if part) or None

    def _call(self, tool, arguments):
        action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
        self._take(self._ask({"type": "step", "data": action}))
        error = self.observation.get("error")
        if error:
            raise RuntimeError("{}: {}".format(error["error_type"], error["message"]))
        data = (self.observation.get("result") or {}).get("data")
        return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)

    def _say(self, tool, arguments):
        # That nobody is there is an answer to whoever speaks, and no failure.
        if self._offered is not None and tool not in self._offered:
            return "Nobody is there to talk to: give the answer."
        try:
            return self._call(tool, arguments)
        except RuntimeError:
            error = self.observation.get("error") or {}
            if error.get("error_type") != "invalid_args":
                raise
            return error["message"]

    def _take(self, answer):
        if answer.get("type") == "error":
            problem = answer["data"]
            raise RuntimeError("{}: {}".format(problem.get("code"), problem.get("message")))
        data = answer["data"]
        self.observation = data["observation"]
        self.done = bool(data["done"])
        self.reward = float(data["reward"] or 0.0)

    def _ask(self, message):
        if self._socket is None:
            base = os.environ.get("GROUNDHOG_URL", self.SERVER_URL).rstrip("/")
            address = "ws" + base[4:] if base.startswith("http") else base
            options = {"max_size": None}
            if int(websockets.__version__.split(".")[0]) >= 15 and address.startswith(_LOOPBACK):
                # A server on this machine is not behind the proxy that the environment may name.
                options["proxy"] = None
            opened = ExitStack()
            try:
                self._socket = opened.enter_context(connect(address + "/ws", **options))
            except (OSError, WebSocketException):
                raise ConnectionError("no Groundhog server at {}: start groundhog serve, or set GROUNDHOG_URL".format(
                    base)) from None
            # Closed with this object or before the interpreter ends: later its threads stand still.
            self._closing = weakref.finalize(self, opened.close)
        self._socket.send(json.dumps(message))
        return json.loads(self._socket.recv())

    def _check_tools(self, offered):
        for tool in offered:
            arguments = ",".join(sorted(tool["input_schema"].get("properties") or {}))
            if self._SIGNATURES.get(tool["name"]) != arguments:
                warnings.warn("the server offers {}({}), which this file does not know: write it anew".format(
                    tool["name"], arguments))

    def _close(self):
        if self._socket is not None:
            self._socket = None
            self._closing()
`;

"""E-mail by SMTP: plain text, with a link and a header to unsubscribe."""

from __future__ import annotations

import re
import smtplib
import ssl
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from mchezo.server.errors import WORDS, TableError
from mchezo.server.sending.notification import Notification
from mchezo.server.sending.outbound import SendingFailed

SECONDS = 15.0  # for every step of the protocol
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}")
MAX_ADDRESS = 254


@dataclass(frozen=True)
class Smtp:
    """The mail server, and the sender's address."""

    host: str
    port: int
    sender: str
    user: str | None = None
    password: str | None = None
    tls: bool = False  # from the beginning; else by STARTTLS where it is offered, and always before a password


def read_smtp(url: str, sender: str) -> Smtp:
    """Return the mail server of smtp://user:password@host:587 or smtps://host."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise TableError("not-possible", "bad-smtp") from None
    if parts.scheme not in ("smtp", "smtps") or not host or parts.path not in ("", "/"):
        raise TableError("not-possible", "bad-smtp")
    if not is_mail_address(sender):
        raise TableError("not-possible", "bad-sender", address=sender)
    tls = parts.scheme == "smtps"
    user, password = (None if one is None else unquote(one) for one in (parts.username, parts.password))
    return Smtp(host, port or (465 if tls else 587), sender, user, password, tls)


def is_mail_address(text: str) -> bool:
    """Return whether a text is an address that we can write to."""
    return len(text) <= MAX_ADDRESS and ADDRESS.fullmatch(text) is not None


class Mail:
    """Writes to people."""

    def __init__(self, smtp: Smtp) -> None:
        self.smtp = smtp

    def send(self, address: str, secret: str, notification: Notification) -> None:
        """Send a notice."""
        stop = f"{notification.site}/notices/stop/{secret}"
        body: list[str] = []
        if notification.turns:
            body += [f"{notification.line(turn)}\n{notification.link(turn)}" for turn in notification.turns]
        else:
            body += notification.lines
        body.append(f"{notification.say('mail-stop')}\n{stop}")
        message = self.compose(address, notification.title, body)
        message["List-Unsubscribe"] = f"<{notification.site}/api/notices/links/{secret}/stop>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["Message-ID"] = (
            f"<{notification.id}.{secret[:8]}@{self.domain}>" if notification.turns else self.new_id()
        )
        message["Auto-Submitted"] = "auto-generated"
        self.deliver(message)

    def ask(self, address: str, secret: str, language: str, site: str) -> None:
        """Ask somebody to confirm that the address is theirs."""
        link = f"{site}/notices/confirm/{secret}"
        text = [
            f"{WORDS.say('mail-confirm', language)}\n{link}",
            WORDS.say("mail-confirm-ignore", language),
        ]
        message = self.compose(address, WORDS.say("mail-confirm-title", language), text)
        message["Message-ID"] = self.new_id()
        message["Auto-Submitted"] = "auto-generated"
        self.deliver(message)

    @property
    def domain(self) -> str:
        """The domain of the sender."""
        return self.smtp.sender.rpartition("@")[2]

    def new_id(self) -> str:
        """Return the id of a message that is not repeated."""
        return make_msgid(domain=self.domain)

    def compose(self, address: str, subject: str, paragraphs: list[str]) -> EmailMessage:
        """Return a message in plain text."""
        message = EmailMessage()
        message["Subject"] = "".join(letter if letter.isprintable() else " " for letter in subject)
        message["From"] = Address("mchezo", addr_spec=self.smtp.sender)
        message["To"] = Address(addr_spec=address)
        message["Date"] = formatdate()
        message.set_content("\n\n".join(paragraphs) + "\n")
        return message

    def deliver(self, message: EmailMessage) -> None:
        """Hand a message to the mail server."""
        smtp = self.smtp
        try:
            with self.connect() as server:
                if not smtp.tls:
                    server.ehlo()
                    if server.has_extn("starttls") or smtp.user is not None:
                        server.starttls(context=ssl.create_default_context())
                if smtp.user is not None:
                    server.login(smtp.user, smtp.password or "")
                server.send_message(message)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise SendingFailed(str(error) or type(error).__name__) from error

    def connect(self) -> smtplib.SMTP:
        """Return a connection to the mail server."""
        smtp = self.smtp
        if smtp.tls:
            return smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=SECONDS, context=ssl.create_default_context())
        return smtplib.SMTP(smtp.host, smtp.port, timeout=SECONDS)
